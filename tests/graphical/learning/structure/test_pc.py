"""graphical.34, graphical.35, graphical.36: the estimator."""

import numpy as np
import pytest

from margin.graphical import PC
from margin.graphs import DAG, cpdag
from margin.search import Oracle


@pytest.mark.parametrize("stable", [True, False])
@pytest.mark.parametrize("seed", range(4))
def test_an_oracle_gives_the_class(stable, seed):
    """graphical.34."""
    rng = np.random.default_rng(seed)
    dag = DAG.from_adjacency(np.triu(rng.random((7, 7)) < 0.3, 1).astype(int))
    model = PC(test=Oracle(dag), stable=stable, max_cond_size=None).fit()
    assert model.graph_ == cpdag(dag)
    assert model.conflicts_ == ()
    assert sum(model.n_tests_) > 0


def gaussian(n=3000):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 5))
    X[:, 2] += X[:, 0] + X[:, 1]
    X[:, 3] += X[:, 2]
    return X


def test_gaussian_columns():
    model = PC(alpha=0.001).fit(gaussian())
    assert model.graph_ == cpdag(DAG(5, [(0, 2), (1, 2), (2, 3)]))
    assert model.separators_[0, 1] == ()
    assert model.separators_[0, 3] == (2,)
    assert max(model.edge_p_values_.values()) < 0.001
    removed = [p for *_, p in model.removals_]
    assert removed == sorted(removed, reverse=True)


def test_order_and_threads_do_not_matter():
    X = gaussian(300)
    order = [3, 1, 4, 0, 2]
    one = PC(n_jobs=1).fit(X)
    two = PC(n_jobs=2).fit(X[:, order])
    assert {frozenset(e) for e in one.skeleton_.edges} == {
        frozenset(order[i] for i in e) for e in two.skeleton_.edges
    }


def test_unknown_values_in_gaussian_columns():
    X = gaussian()
    X[np.random.default_rng(1).random(X.shape) < 0.1] = np.nan
    assert PC(alpha=0.001).fit(X).graph_ == cpdag(DAG(5, [(0, 2), (1, 2), (2, 3)]))


def test_max_cond_size():
    """graphical.31: at most four by default."""
    assert PC().max_cond_size == 4
    assert len(PC(max_cond_size=0).fit(gaussian(300)).n_tests_) == 1


def test_kernel_test_on_curves():
    rng = np.random.default_rng(5)
    x = rng.uniform(-2, 2, 80)
    X = np.column_stack([x, x**2 + 0.2 * rng.standard_normal(80), rng.standard_normal(80)])
    model = PC(test="hsic", alpha=0.01, max_cond_size=0).fit(X)
    assert model.skeleton_.edges == ((0, 1),)
    assert model.score_ is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 1.5}, "alpha must be"),
        ({"aggregate": "mean"}, "aggregate must be one of"),
        ({"max_cond_size": -1}, "max_cond_size must be"),
        ({"min_count": -1}, "min_count must be"),
        ({"stable": 1}, "stable must be"),
    ],
)
def test_bad_parameters(options, message):
    with pytest.raises(ValueError, match=f"PC: {message}"):
        PC(**options).fit(gaussian(20))
