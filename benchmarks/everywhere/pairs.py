"""Which estimators are held against which, and the tables they are given."""

import inspect
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, is_classifier, is_regressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel
from sklearn.utils import get_tags
from sklearn.utils.discovery import all_estimators

from tools.dropin.namesakes import namesakes

COLUMNS = 20
ANSWERS = ("predict", "transform", "score_samples")
COUNT_TARGETS = frozenset({"GammaRegressor", "PoissonRegressor", "TweedieRegressor"})
PART = {"classifier": "LogisticRegression", "regressor": "Ridge"}
"""What an estimator that takes an estimator is given, each from its own library."""

SAME = {
    "CCA": {"n_components": 1},
    "GaussianRandomProjection": {"n_components": 5},
    "SparseCoder": {"dictionary": np.eye(COLUMNS)[::2]},
    "SparseRandomProjection": {"n_components": 5},
    "GaussianProcessRegressor": {"kernel": ConstantKernel() * RBF() + WhiteKernel()},
    "GaussianProcessClassifier": {"kernel": ConstantKernel() * RBF()},
}
"""Parameters where the defaults are different work (theirs learn nothing of a kernel not given) or
cannot be met (one target, few columns)."""


@dataclass(frozen=True)
class Pair:
    """Our estimator and scikit-learn's of the same name, both with the same parameters.

    ``answer`` is the method timed after ``fit``, empty where the two share none.
    """

    name: str
    family: str
    ours: Any
    theirs: Any
    answer: str


def pairs() -> list[Pair]:
    """Every estimator that both libraries have, in the order of families and names."""
    ours = {name: item for name, item in namesakes().items() if _is_model(item)}
    theirs = dict(all_estimators())
    built = (
        _pair(name, *(_build(library, name, _needed(theirs[name])) for library in (ours, theirs)))
        for name in ours
        if name in theirs
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # names that scikit-learn is about to drop
        return sorted(built, key=lambda pair: (pair.family, pair.name))


def table(model: Any, rows: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """A table that suits ``model``: normal columns, or counts; two classes, a number, or counts."""
    rng = np.random.default_rng(seed)
    tags = get_tags(model)
    counts = tags.input_tags.positive_only or tags.input_tags.categorical
    X = rng.normal(size=(rows, COLUMNS))
    if counts:
        X = rng.integers(0, 5, size=(rows, COLUMNS)).astype(float)
    signal = (X - X.mean(axis=0)) @ rng.normal(size=COLUMNS) / np.sqrt(COLUMNS)
    noisy = signal + 0.5 * rng.normal(size=rows)
    if is_classifier(model):
        return X, (noisy > 0).astype(np.int64)
    if type(model).__name__ in COUNT_TARGETS:
        return X, rng.poisson(np.exp(np.clip(0.5 * signal, -3, 3))) + 1.0
    return X, noisy


def _is_model(item: Any) -> bool:
    return isinstance(item, type) and issubclass(item, BaseEstimator)


def _pair(name: str, ours: Any, theirs: Any) -> Pair:
    shared: Iterator[str] = (a for a in ANSWERS if hasattr(ours, a) and hasattr(theirs, a))
    family = type(ours).__module__.removeprefix("margin.")
    return Pair(name, family, ours, theirs, next(shared, ""))


def _needed(item: Any) -> list[str]:
    """Parameters without a default."""
    parameters = inspect.signature(item).parameters.items()
    return [name for name, parameter in parameters if parameter.default is parameter.empty]


def _build(library: dict[str, Any], name: str, needed: list[str]) -> Any:
    """An instance; a required estimator is the library's own simple one."""
    given = dict(SAME.get(name, {}))
    if needed := [key for key in needed if key not in given]:
        part = library[PART["regressor" if "Regress" in name else "classifier"]]()
        given |= {key: [("first", part)] if key == "estimators" else part for key in needed}
    return library[name](**given)


def score(model: Any, answer: Any, y: np.ndarray) -> float | None:
    """Share of right classes, or share of variance explained; ``None`` for what is neither."""
    if is_classifier(model):
        return float(np.mean(np.asarray(answer) == y))
    if is_regressor(model):
        return float(1.0 - np.square(y - answer).sum() / np.square(y - y.mean()).sum())
    return None
