import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import ConvergenceWarning

from margin.core import FitError, Status
from margin.graphical import ExactSearch, HillClimb


def test_finds_what_greed_does_not():
    X = np.random.default_rng(0).integers(0, 2, (400, 5))
    X[:, 4] = X[:, 0] ^ X[:, 1]
    exact = ExactSearch().fit(X)
    assert exact.score_ > HillClimb(tabu_length=0).fit(X).score_ + 50
    assert {frozenset(e) for e in exact.graph_.edges} == {
        frozenset(pair) for pair in [(0, 4), (1, 4)]
    } or len(exact.graph_.edges) == 2


def test_too_many_columns_are_refused_before_any_work():
    with pytest.raises(ValueError, match=r"at most 20 columns, got '21 \(2\^21 sets\)"):
        ExactSearch().fit(np.zeros((2, 21), dtype=int))


def test_impossible_demands():
    model = ExactSearch(required=[(0, 2), (1, 2)], max_parents=1)
    with pytest.raises(FitError, match="ExactSearch: no graph"):
        model.fit(np.random.default_rng(0).integers(0, 2, (10, 3)))


def test_twelve_columns():
    rng = np.random.default_rng(1)
    X = rng.integers(0, 2, (100, 12))
    X[:, 7] = X[:, 3]
    model = ExactSearch(max_parents=2).fit(X)
    assert {3, 7} in [set(e) for e in model.graph_.edges]


def test_a_constant_column_has_no_arcs():
    """Ties go to fewer parents."""
    frame = pd.DataFrame({"a": [0, 1] * 10, "b": [1] * 20})
    assert ExactSearch().fit(frame).graph_.edges == ()


def test_many_columns_have_an_end():
    """Fewer parents than all, with a warning; the best graph among those with so few."""
    X = np.random.default_rng(0).integers(0, 2, (100, 9))
    with pytest.warns(ConvergenceWarning, match="sets of more than 2 parents left out within"):
        short = ExactSearch(max_work=4e5).fit(X)
    whole = ExactSearch(max_parents=2).fit(X)
    assert short.graph_.edges == whole.graph_.edges
    assert short.score_ == whole.score_


def test_families_that_cannot_pay_are_not_counted():
    X = np.random.default_rng(0).integers(0, 2, (40, 12))
    # Three parents for each of twelve columns fit the work, all eleven would not.
    report = ExactSearch(max_work=1e8).fit(X).fit_report_
    assert report.status is Status.CONVERGED
    with pytest.warns(ConvergenceWarning, match="parents left out within"):
        ExactSearch(max_work=1e7, required=[(0, 1)]).fit(X)
