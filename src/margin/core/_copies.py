"""Copies of an estimator, at the price of its constructor where nothing more is needed."""

from typing import Any
from weakref import WeakKeyDictionary

from sklearn.base import BaseEstimator, clone

_SIMPLE = (type(None), bool, int, float, str)  # what a copy may share
_SETTINGS = ("_metadata_request", "_sklearn_output_config")  # what a copy keeps beside parameters
_NAMES: WeakKeyDictionary[type, tuple[str, ...]] = WeakKeyDictionary()


def unfitted(base: Any) -> Any:
    """What scikit-learn's ``clone`` gives: an estimator with the same parameters, not fitted.

    Examples
    --------
    >>> from sklearn.linear_model import Ridge
    >>> unfitted(Ridge(alpha=0.5)).alpha
    0.5
    """
    simple = simple_parameters(base)
    return clone(base) if simple is None else type(base)(**simple)


def simple_parameters(base: Any) -> dict[str, Any] | None:
    """Parameters that a copy needs nothing beside, and may share; ``None`` if it needs more.

    Examples
    --------
    >>> from sklearn.linear_model import Lasso
    >>> simple_parameters(Lasso(alpha=0.5))["alpha"]
    0.5
    >>> simple_parameters(Lasso(alpha=[0.5]))
    """
    kind: type[BaseEstimator] = type(base)
    if getattr(kind, "get_params", None) is not BaseEstimator.get_params:
        return None
    if kind.__sklearn_clone__ is not BaseEstimator.__sklearn_clone__:
        return None
    if kind not in _NAMES:  # reading a signature takes longer than a small copy
        _NAMES[kind] = tuple(kind._get_param_names())
    values = {name: getattr(base, name) for name in _NAMES[kind]}
    if any(type(value) not in _SIMPLE for value in values.values()):
        return None
    return None if any(name in vars(base) for name in _SETTINGS) else values
