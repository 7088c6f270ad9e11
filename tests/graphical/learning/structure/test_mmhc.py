import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from margin.graphical import MMHC, HillClimb


def test_candidates_bound_the_graph():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (800, 6))
    X[:, 1] = X[:, 0] ^ (rng.random(800) < 0.15)
    X[:, 2] = X[:, 1] ^ (rng.random(800) < 0.15)
    X[:, 4] = X[:, 3] & X[:, 2]
    model = MMHC(alpha=0.01).fit(X)
    allowed = {frozenset(pair) for pair in model.candidates_}
    assert {frozenset(e) for e in model.graph_.edges} <= allowed
    assert frozenset((0, 2)) not in allowed
    assert model.score_ <= HillClimb(n_restarts=3, random_state=0).fit(X).score_ + 1e-9
    assert model.n_tests_ > 15


def test_bad_parameters():
    with pytest.raises(ValueError, match="MMHC: alpha must be"):
        MMHC(alpha=2.0).fit(np.zeros((4, 2), dtype=int))


def test_a_search_that_runs_out_of_tests_says_so():
    rng = np.random.default_rng(3)
    X = (rng.random((300, 1)) < 0.5) ^ (rng.random((300, 10)) < 0.02)
    with pytest.warns(ConvergenceWarning, match="stopped after max_tests=100 tests"):
        model = MMHC(max_tests=100).fit(X.astype(int))
    assert model.n_tests_ == 100
