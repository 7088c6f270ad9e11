"""graphical.37: the estimator."""

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from margin.graphical import ExactSearch, HillClimb
from margin.graphs import DAG, cpdag


def linear_data(rng, n=2000):
    X = rng.standard_normal((n, 5))
    X[:, 2] += X[:, 0] + X[:, 1]
    X[:, 3] += 0.8 * X[:, 2]
    return X


@pytest.mark.parametrize("score", ["bic", "aic", "bdeu", "k2"])
def test_never_above_the_exact_optimum(score):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (150, 5))
    X[:, 4] = (X[:, 0] + (rng.random(150) < 0.3)) % 3
    climbed = HillClimb(score=score, random_state=0).fit(X)
    assert climbed.score_ <= ExactSearch(score=score).fit(X).score_ + 1e-9
    assert climbed.fit_report_.objective == climbed.score_
    assert climbed.n_families_ > 0


def test_gaussian_columns():
    model = HillClimb(model="gaussian", n_restarts=5, random_state=0)
    model.fit(linear_data(np.random.default_rng(1)))
    truth = DAG(5, [(0, 2), (1, 2), (2, 3)])
    assert cpdag(model.graph_) == cpdag(truth)


def test_start_is_used():
    X = linear_data(np.random.default_rng(1))
    model = HillClimb(model="gaussian", start=[(3, 2)], tabu_length=0).fit(X)
    assert len(model.graph_.edges) >= 3
    with pytest.raises(ValueError, match="HillClimb: required must be without a directed cycle"):
        HillClimb(model="gaussian", start=[(0, 1), (1, 0)]).fit(X)


def test_threads_and_seed():
    X = np.random.default_rng(2).integers(0, 2, (2000, 12))
    X[:, 5] = X[:, 0] ^ X[:, 1]
    options = {"n_restarts": 3, "random_state": 4}
    one = HillClimb(n_jobs=1, **options).fit(X)
    two = HillClimb(n_jobs=2, **options).fit(X)
    assert one.graph_ == two.graph_
    assert one.score_ == two.score_


def test_cut_short_warns():
    X = linear_data(np.random.default_rng(1), 200)
    with pytest.warns(ConvergenceWarning, match="max_iter=1"):
        HillClimb(model="gaussian", max_iter=1).fit(X)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"score": "mdl"}, "score must be one of"),
        ({"model": "poisson"}, "model must be one of"),
        ({"max_parents": 0}, "max_parents must be an integer"),
        ({"tabu_length": -1}, "tabu_length must be"),
        ({"equivalent_sample_size": 0}, "equivalent_sample_size must be"),
        ({"model": "gaussian", "score": "k2"}, "score must be 'bic' or 'aic'"),
        ({"annealing": 1}, "annealing must be"),
    ],
)
def test_bad_parameters(options, message):
    with pytest.raises(ValueError, match=f"HillClimb: {message}"):
        HillClimb(**options).fit(np.random.default_rng(0).random((10, 2)))
