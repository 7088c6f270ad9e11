"""Every parameter, method and fitted attribute of a namesake of scikit-learn is there."""

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.utils.discovery import all_estimators

from benchmarks.everywhere.pairs import Pair, pairs, table
from tools.dropin.faces import attributes, missing_words, other_defaults
from tools.dropin.namesakes import _functions, namesakes

THEIRS = dict([*_functions(), *all_estimators()])
OURS = namesakes()

# What is missing on purpose. Callbacks are experimental in scikit-learn, which has them in one
# class so far; singular values are computed only where the condition of the columns asks for them.
ABSENT = {
    "LogisticRegression": {"set_callbacks"},
    "LinearRegression": {"singular_"},
}

# Defaults of ours that are better, and words for "choose for me".
SEED = {"random_state"}
DEFAULTS = {
    "AdaBoostClassifier": SEED,
    "AdaBoostRegressor": SEED,
    "BaggingClassifier": SEED,
    "BaggingRegressor": SEED,
    "GaussianProcessClassifier": {"multi_class"},
    "GaussianProcessRegressor": {"normalize_y"},
    "GradientBoostingClassifier": {"criterion", "min_samples_leaf", "max_depth", "max_leaf_nodes"},
    "GradientBoostingRegressor": {"criterion", "min_samples_leaf", "max_depth", "max_leaf_nodes"},
    "LinearDiscriminantAnalysis": {"solver"},
    "LinearSVC": SEED,
    "LinearSVR": SEED | {"intercept_scaling"},
    "LogisticRegression": {"tol", "solver", "max_iter"},
    "MDS": {"init"},
    "NuSVC": {"break_ties"},
    "OneVsOneClassifier": {"estimator"},
    "OneVsRestClassifier": {"estimator"},
    "OutputCodeClassifier": {"estimator", "code_size"},
    "PassiveAggressiveClassifier": SEED,
    "PassiveAggressiveRegressor": SEED,
    "QuadraticDiscriminantAnalysis": {"solver"},
    "SGDClassifier": SEED,
    "SGDRegressor": SEED,
    "SVC": {"break_ties"},
    "enet_path": {"alphas"},
    "lasso_path": {"alphas"},
}


@pytest.mark.parametrize("name", sorted(OURS))
def test_every_word_of_the_namesake_is_taken(name: str) -> None:
    lacking = set(missing_words(OURS[name], THEIRS[name]))
    assert lacking == ABSENT.get(name, set()) - {"singular_"}


@pytest.mark.parametrize("name", sorted(OURS))
def test_other_defaults_are_chosen(name: str) -> None:
    others = {text.split("=")[0] for text in other_defaults(OURS[name], THEIRS[name])}
    assert others == DEFAULTS.get(name, set())


def fitted(model: Any, ours: Any) -> Any:
    """A model fitted to a table that suits ours, with as many targets as it needs."""
    X, y = table(ours, 60)
    if type(model).__name__ in ("CCA", "SparseCoder"):
        y = np.column_stack([y, X[:, 0]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y)


def prepared(pair: Pair) -> Pair:
    """The pair with what its defaults cannot do without on sixty rows."""
    for model in (pair.ours, pair.theirs):
        if pair.name.endswith("RandomProjection"):
            model.set_params(n_components=3)
        if pair.name == "SparseCoder":
            model.set_params(dictionary=np.eye(20))
        for few in ("n_estimators", "max_iter"):
            if few in model.get_params() and few == "n_estimators":
                model.set_params(n_estimators=3)
    return pair


@pytest.fixture(scope="module")
def every() -> dict[str, Pair]:
    return {pair.name: pair for pair in pairs()}


@pytest.mark.parametrize("name", sorted(n for n in OURS if n in dict(all_estimators())))
def test_every_attribute_of_the_namesake_is_there(name: str, every: dict[str, Pair]) -> None:
    pair = prepared(every[name])
    theirs = attributes(fitted(pair.theirs, pair.ours))
    lacking = theirs - attributes(fitted(pair.ours, pair.ours))
    assert lacking == ABSENT.get(name, set()) - {"set_callbacks"}


def test_what_is_missing_is_seen() -> None:
    class Ours:
        def fit(self, X: Any) -> None: ...

    class Theirs:
        def __init__(self, alpha: float = 1.0) -> None: ...
        def fit(self, X: Any, sample_weight: Any = None) -> None: ...
        def score(self, X: Any) -> None: ...

    assert list(missing_words(Ours, Theirs)) == ["alpha", "fit(sample_weight)", "score"]
