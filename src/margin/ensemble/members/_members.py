"""Copies of a base model, each with a seed of its own."""

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import has_fit_parameter

from margin.core import check
from margin.core.types import Floats


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
    model = clone(base)
    seeds = {
        name: int(rng.integers(2**31))
        for name in sorted(model.get_params(deep=True))
        if name == "random_state" or name.endswith("__random_state")
    }
    return model.set_params(**seeds)


def fit_weighted(model: Any, X: Any, y: Any, weight: Floats, rng: np.random.Generator) -> Any:
    """A model fitted to weighted rows; one without ``sample_weight`` sees them drawn by weight."""
    # Not every model returns itself.
    if has_fit_parameter(model, "sample_weight"):
        model.fit(X, y, sample_weight=weight)
        return model
    rows = rng.choice(len(y), size=len(y), p=weight / weight.sum())
    model.fit(X[rows], y[rows])
    return model
