"""Every parameter, method and fitted attribute of a namesake of scikit-learn is there."""

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.utils.discovery import all_estimators

from benchmarks.everywhere.pairs import Pair, pairs, table
from tools.dropin.defaults import absent_words, other_words
from tools.dropin.faces import attributes, missing_words, other_defaults
from tools.dropin.namesakes import _functions, namesakes

THEIRS = dict([*_functions(), *all_estimators()])
OURS = namesakes()


@pytest.mark.parametrize("name", sorted(OURS))
def test_every_word_of_the_namesake_is_taken(name: str) -> None:
    lacking = set(missing_words(OURS[name], THEIRS[name]))
    assert lacking == {word for word in absent_words(name) if word[-1] != "_"}


@pytest.mark.parametrize("name", sorted(OURS))
def test_other_defaults_are_chosen(name: str) -> None:
    others = {text.split("=")[0] for text in other_defaults(OURS[name], THEIRS[name])}
    assert others == other_words(name)


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
        if "n_estimators" in model.get_params():
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
    assert lacking == {word for word in absent_words(name) if word[-1] == "_"}


def test_what_is_missing_is_seen() -> None:
    class Ours:
        def fit(self, X: Any) -> None: ...

    class Theirs:
        def __init__(self, alpha: float = 1.0) -> None: ...
        def fit(self, X: Any, sample_weight: Any = None) -> None: ...
        def score(self, X: Any) -> None: ...

    assert list(missing_words(Ours, Theirs)) == ["alpha", "fit(sample_weight)", "score"]
