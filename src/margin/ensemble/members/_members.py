"""Copies of a base model, each with a seed of its own."""

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from margin.core import check, simple_parameters
from margin.core.types import Floats

_WEIGHTED: WeakKeyDictionary[type, bool] = WeakKeyDictionary()


def base_model(owner: object, estimator: Any, default: Any) -> Any:
    """The model to copy: the one given, or the default."""
    if estimator is None:
        return default
    usable = not isinstance(estimator, type) and all(
        hasattr(estimator, name) for name in ("fit", "get_params", "__sklearn_tags__")
    )
    if not usable:
        raise check.fail(owner, "estimator", "an estimator or None", estimator)
    return estimator


def seeded(base: Any, rng: np.random.Generator) -> Any:
    """A copy of a model in which everything random has a new seed.

    Examples
    --------
    >>> from margin.linear import SGDClassifier
    >>> seeded(SGDClassifier(), np.random.default_rng(0)).random_state
    1826701615
    """
    simple = simple_parameters(base)
    if simple is not None:
        if "random_state" in simple:
            simple["random_state"] = int(rng.integers(2**31))
        return type(base)(**simple)
    model = clone(base)
    seeds = {
        name: int(rng.integers(2**31))
        for name in sorted(model.get_params(deep=True))
        if name == "random_state" or name.endswith("__random_state")
    }
    return model.set_params(**seeds)


def takes_weights(model: Any) -> bool:
    """Whether ``fit`` has weights of rows, read from the signature of its class once."""
    kind: type[object] = type(model)
    if kind not in _WEIGHTED:
        _WEIGHTED[kind] = bool(has_fit_parameter(kind, "sample_weight"))
    return _WEIGHTED[kind]


def fit_weighted(model: Any, X: Any, y: Any, weight: Floats, rng: np.random.Generator) -> Any:
    """A model fitted to weighted rows; one without ``sample_weight`` sees them drawn by weight."""
    # Not every model returns itself.
    if takes_weights(model):
        model.fit(X, y, sample_weight=weight)
        return model
    rows = rng.choice(len(y), size=len(y), p=weight / weight.sum())
    model.fit(X[rows], y[rows])
    return model
