"""Estimators for trials: every one with a card, and those that have none or take others."""

from collections.abc import Callable
from typing import Any

import numpy as np

from margin.ensemble import (
    AdaBoostClassifier,
    AdaBoostRegressor,
    BaggingClassifier,
    BaggingRegressor,
    StackingClassifier,
    StackingRegressor,
    VotingClassifier,
    VotingRegressor,
)
from margin.inspection import feature_dependence, shuffled_importance, tree_shap
from margin.linear import GaussianNB, LinearDiscriminantAnalysis, LogisticRegression, Ridge
from margin.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from margin.neighbors import (
    KNeighborsClassifier,
    KNeighborsRegressor,
    KNeighborsTransformer,
    LocalOutlierFactor,
    NearestNeighbors,
    RadiusNeighborsTransformer,
)
from margin.svm import SVC, SVR
from margin.testing import all_estimators
from margin.tree import DecisionTreeClassifier, DecisionTreeRegressor

Rng = np.random.Generator
Maker = Callable[[Rng], Any]
VOTES = ("hard", "soft")

CLASSIFIERS: tuple[Maker, ...] = (
    lambda rng: DecisionTreeClassifier(max_depth=int(rng.integers(1, 6))),
    lambda rng: LogisticRegression(),
    lambda rng: GaussianNB(),
    lambda rng: LinearDiscriminantAnalysis(),
    lambda rng: KNeighborsClassifier(n_neighbors=2),
    lambda rng: SVC(probability=bool(rng.integers(2))),
)
REGRESSORS: tuple[Maker, ...] = (
    lambda rng: DecisionTreeRegressor(max_depth=int(rng.integers(1, 6))),
    lambda rng: Ridge(),
    lambda rng: KNeighborsRegressor(n_neighbors=2),
    lambda rng: SVR(),
)


def _base(rng: Rng, makers: tuple[Maker, ...]) -> Any:
    return makers[int(rng.integers(len(makers)))](rng)


def _several(rng: Rng, makers: tuple[Maker, ...]) -> list[tuple[str, Any]]:
    return [(f"m{k}", _base(rng, makers)) for k in range(int(rng.integers(1, 4)))]


def _wrapped(cls: Any, makers: tuple[Maker, ...], **options: Any) -> Maker:
    return lambda rng: cls(estimator=_base(rng, makers), **options)


# Name, what the target is, and how one is made: models without a card, and models over models.
OTHERS: tuple[tuple[str, str, Maker], ...] = (
    ("AdaBoostClassifier", "classification", _wrapped(AdaBoostClassifier, CLASSIFIERS)),
    ("AdaBoostRegressor", "regression", _wrapped(AdaBoostRegressor, REGRESSORS)),
    ("BaggingClassifier", "classification", _wrapped(BaggingClassifier, CLASSIFIERS)),
    ("BaggingRegressor", "regression", _wrapped(BaggingRegressor, REGRESSORS)),
    ("OneVsOneClassifier", "classification", _wrapped(OneVsOneClassifier, CLASSIFIERS)),
    ("OneVsRestClassifier", "classification", _wrapped(OneVsRestClassifier, CLASSIFIERS)),
    ("OutputCodeClassifier", "classification", _wrapped(OutputCodeClassifier, CLASSIFIERS)),
    ("VotingClassifier", "classification",
     lambda rng: VotingClassifier(_several(rng, CLASSIFIERS), voting=str(rng.choice(VOTES)))),
    ("VotingRegressor", "regression", lambda rng: VotingRegressor(_several(rng, REGRESSORS))),
    ("StackingClassifier", "classification",
     lambda rng: StackingClassifier(_several(rng, CLASSIFIERS), passthrough=bool(rng.integers(2)))),
    ("StackingRegressor", "regression",
     lambda rng: StackingRegressor(_several(rng, REGRESSORS), passthrough=bool(rng.integers(2)))),
    ("NearestNeighbors", "density", lambda rng: NearestNeighbors(n_neighbors=2)),
    ("KNeighborsTransformer", "density", lambda rng: KNeighborsTransformer(n_neighbors=2)),
    ("RadiusNeighborsTransformer", "density", lambda rng: RadiusNeighborsTransformer()),
    ("LocalOutlierFactor", "density", lambda rng: LocalOutlierFactor(n_neighbors=3, novelty=True)),
)  # fmt: skip


def draw(rng: Rng, only: str = "") -> tuple[Any, str, str]:
    """A model, its task and the kind of table that it takes; of one class if so asked.

    Examples
    --------
    >>> draw(np.random.default_rng(0), "VotingRegressor")[1:]
    ('regression', 'table')
    """
    carded = [pair for pair in all_estimators() if only in ("", pair[0])]
    others = [one for one in OTHERS if only in ("", one[0])]
    at = int(rng.integers(len(carded) + len(others)))
    if at >= len(carded):
        _, task, make = others[at - len(carded)]
        return make(rng), task, "table"
    _, cls = carded[at]
    return cls(**_parameters(rng, cls)), cls.card.tasks[0], cls.card.input


def _parameters(rng: Rng, cls: Any) -> dict[str, Any]:
    if rng.random() < 0.5:
        return {}
    grid = cls.card.grid(5)
    return {name: values[int(rng.integers(len(values)))] for name, values in grid.items()}


def asked(model: Any, X: Any, y: Any) -> dict[str, Any]:
    """What the inspection of a fitted model answers."""
    answers: dict[str, Any] = {}
    if hasattr(model, "to_trees"):
        answers["tree_shap"] = tree_shap(model, X).values
        answers["tree_shap against a background"] = tree_shap(model, X, background=X).values
    if y is not None and hasattr(model, "predict"):
        seen = shuffled_importance(model, X, y, n_repeats=2, random_state=0)
        answers["shuffled_importance"] = seen.importances
        dependence = feature_dependence(model, X, 0, grid_resolution=5)
        answers["feature_dependence"] = dependence.individual
    return answers
