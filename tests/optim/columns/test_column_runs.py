"""The states that coordinate descent passes through."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from margin.losses import Logistic, Squared
from margin.optim import LinearProblem
from margin.optim.columns._column_runs import NewtonRun, SquaresRun, compressed
from margin.optim.columns._squares import Goal, Shrinkage
from margin.penalties import L1


def problem(loss, storage=np.asarray, intercept=True):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 8))
    y = X[:, 0] + rng.normal(size=50) + 1.0
    y = y if isinstance(loss, Squared) else (y > 0).astype(float)
    return LinearProblem(storage(X), y, np.full(50, 0.02), loss, L1(0.05), intercept=intercept)


@pytest.mark.parametrize(("loss", "kind"), [(Squared(), SquaresRun), (Logistic(), NewtonRun)])
@pytest.mark.parametrize("start", [0.0, 0.3])
@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
def test_states_begin_at_the_start_and_tell_the_truth(loss, kind, start, storage):
    made = problem(loss, storage)
    x0 = np.full(9, start)
    states = list(kind(made, Shrinkage(0.05), x0).states(Goal(violation=1e-8)))
    assert_array_equal(states[0].x, x0)
    for state in states:
        local = made.expand(state.x)
        assert_allclose(state.objective, local.value, rtol=1e-12)
        if np.isfinite(state.violation):
            assert_allclose(state.violation, np.abs(local.gradient).max(), atol=1e-12)
    assert states[-1].violation <= 1e-8
    assert states[-1].epochs > 0


@pytest.mark.parametrize(("loss", "kind"), [(Squared(), SquaresRun), (Logistic(), NewtonRun)])
def test_without_features_only_the_intercept_moves(loss, kind):
    """A strength beyond the largest product: one counted state with the best constant."""
    made = problem(loss)
    states = list(kind(made, Shrinkage(50.0), np.zeros(9)).states(Goal(violation=1e-8)))
    assert [s.counts for s in states] == [True, True]
    assert not states[-1].x[:8].any()
    assert states[-1].x[8] != 0.0
    again = list(kind(made, Shrinkage(50.0), states[-1].x).states(Goal(violation=1e-8)))
    assert [s.counts for s in again] == [True, False]
    assert_array_equal(again[-1].x, states[-1].x)


def test_scales_are_those_of_the_best_constant():
    made = problem(Squared())
    run = SquaresRun(made, Shrinkage(0.1), np.zeros(9))
    assert_allclose(run.scale, np.var(made.y), rtol=1e-12)
    made = problem(Logistic())
    share = made.y.mean()
    entropy = -share * np.log(share) - (1 - share) * np.log(1 - share)
    assert_allclose(NewtonRun(made, Shrinkage(0.1), np.zeros(9)).scale, entropy, rtol=1e-10)


def test_sparse_columns_share_memory_with_the_problem():
    made = problem(Squared(), sparse.csr_array)
    columns = compressed(made)
    assert columns.format == "csc"
    assert np.shares_memory(columns.data, made._design.transposed.data)
    assert compressed(problem(Squared())) is not None
