"""The model that the trees are added to."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.dummy import DummyClassifier, DummyRegressor

from margin.core import check
from margin.core.types import Floats

_OF_PIPELINES = "pass parameters to specific steps of your pipeline using the stepname__parameter"


def check_init(owner: object, init: Any, verb: str) -> None:
    """Refuse what is neither None, ``"zero"`` nor a model with the verb needed."""
    if init is None or (isinstance(init, str) and init == "zero"):
        return
    if isinstance(init, type) or not (hasattr(init, "fit") and hasattr(init, verb)):
        name = check.named(owner)
        raise ValueError(
            f"{name}: init must be None, 'zero' or an estimator with fit and {verb}: The 'init' "
            f"parameter of {name} must be a str among {{'zero'}}, None or an object implementing "
            f"'fit' and {verb!r}., got {init!r}"
        )


def fitted_init(owner: object, init: Any, X: Any, y: NDArray[Any], weight: Floats | None) -> Any:
    """A copy of the model, fitted; with weights only where there are some."""
    model = clone(init)
    if weight is None:
        return model.fit(X, y)
    try:
        return model.fit(X, y, sample_weight=weight)
    except (TypeError, ValueError) as error:
        if "unexpected keyword argument 'sample_weight'" in str(error) or (
            _OF_PIPELINES in " ".join(str(error).split())
        ):
            raise ValueError(
                f"{check.named(owner)}: init must take weights where the fit has some: The initial "
                f"estimator {type(init).__name__} does not support sample weights."
            ) from error
        raise


def constant_regressor(answer: float, n_features: int) -> DummyRegressor:
    """A fitted model that answers a constant.

    Examples
    --------
    >>> constant_regressor(2.5, 3).predict([[0.0, 0.0, 0.0]])
    array([2.5])
    """
    return DummyRegressor(strategy="mean").fit(np.zeros((1, n_features)), [answer])


def constant_classifier(labels: NDArray[Any], share: Floats, n_features: int) -> DummyClassifier:
    """A fitted model that answers the shares of the classes.

    Examples
    --------
    >>> constant_classifier(np.array(["a", "b"]), np.array([0.25, 0.75]), 1).predict_proba([[0.0]])
    array([[0.25, 0.75]])
    """
    table = np.zeros((len(labels), n_features))
    return DummyClassifier(strategy="prior").fit(table, labels, sample_weight=share)
