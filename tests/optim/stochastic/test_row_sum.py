"""A linear problem as a mean over rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from margin import losses, optim, penalties
from margin.optim import LinearProblem, RowSum

LOSSES = [
    losses.Squared(),
    losses.Logistic(),
    losses.Hinge(),
    losses.SquaredHinge(),
    losses.Perceptron(),
    losses.Huber(0.5),
    losses.EpsilonInsensitive(0.2),
]
PENALTIES = [penalties.Zero(), penalties.L1(0.1), penalties.L2(0.1), penalties.ElasticNet(0.1, 0.3)]


def problem(loss, penalty, storage="dense", intercept=True, weighted=True, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(50, 4))
    X[rng.random(size=X.shape) < 0.3] = 0.0
    y = rng.integers(0, 2, size=50).astype(float)
    weight = rng.uniform(0, 1, size=50) / 50 if weighted else None
    if weighted:
        weight[::7] = 0.0
    X = sparse.csr_array(X) if storage == "sparse" else X
    return LinearProblem(X, y, weight, loss, penalty, intercept=intercept)


@pytest.mark.parametrize("loss", LOSSES, ids=lambda v: type(v).__name__)
@pytest.mark.parametrize("penalty", PENALTIES, ids=lambda v: type(v).__name__)
@pytest.mark.parametrize("storage", ["dense", "sparse"])
@pytest.mark.parametrize("intercept", [True, False])
def test_value_and_gradient_are_those_of_the_problem(loss, penalty, storage, intercept):
    """The same objective, whichever way it is summed; optim.18: kinks included."""
    for weighted in (True, False):
        whole = problem(loss, penalty, storage, intercept, weighted)
        rows = RowSum.of(whole, "SGD")
        for seed in range(3):
            x = np.random.default_rng(seed).normal(size=whole.dimension)
            x[0] = 0.0
            x = x * (seed > 0)
            local = whole.expand(x)
            assert_allclose(rows.value(rows.pad(x)), local.value, rtol=1e-12)
            assert_allclose(
                rows.trim(rows.gradient(rows.pad(x))), local.gradient, rtol=1e-9, atol=1e-11
            )


def test_mean_of_single_row_steps_is_the_gradient():
    """optim.04: the gradient of a random row, scaled by the number of rows, is unbiased."""
    whole = problem(losses.Logistic(), penalties.Zero())
    rows = RowSum.of(whole, "SGD")
    assert_array_equal(rows.visits, np.flatnonzero(whole.weight))
    x = np.random.default_rng(0).normal(size=5)
    solver = optim.SGD(schedule=optim.Constant(1.0), shuffle=False)
    steps = []
    for i in rows.visits:
        one = RowSum(rows.loss, rows.penalty, rows.rows, np.array([i]))
        steps.append(x - solver.epoch(one, solver.begin(rows, x)).w)
    assert_allclose(np.mean(steps, axis=0), whole.expand(x).gradient, rtol=1e-9)


def test_smoothness_bounds_the_curvature_of_every_row():
    whole = problem(losses.Logistic(), penalties.L2(0.3))
    rows = RowSum.of(whole, "SGD")
    X = np.column_stack([whole.X, np.ones(50)])
    bends = 0.25 * len(rows.visits) * whole.weight * (X**2).sum(axis=1)
    assert_allclose(rows.smoothness, bends.max() + 0.3)
    assert rows.usual_smoothness == rows.smoothness
    known = RowSum.build(
        whole.X, whole.y, None, whole.loss, whole.penalty, squares=np.full(50, 7.0)
    )
    assert_allclose(known.smoothness, 0.25 * 8.0 + 0.3)


def test_smoothness_of_very_many_rows_is_that_of_a_part():
    X = np.ones((200_000, 1), dtype=np.float32)
    X[1] = 100.0
    rows = RowSum.build(X, np.zeros(200_000), None, losses.Squared(), penalties.Zero())
    assert rows.smoothness == 10_001.0
    assert rows.usual_smoothness == 2.0


def test_orders_depend_on_seed_and_epoch_only():
    rows = RowSum.of(problem(losses.Logistic(), penalties.Zero()), "SGD")
    one = rows.order(3, 1, True)
    assert_array_equal(np.sort(one), rows.visits)
    assert_array_equal(one, rows.order(3, 1, True))
    for seed, epoch in ((3, 2), (4, 1), (0, 0)):
        assert (one != rows.order(seed, epoch, True)).any()
    assert_array_equal(rows.order(3, 1, False), rows.visits)


def test_orders_of_very_many_rows_keep_blocks_together():
    n = 2**16 + 5
    rows = RowSum.build(np.ones((n, 1)), np.zeros(n), None, losses.Squared(), penalties.Zero())
    order = rows.order(0, 0, True)
    assert_array_equal(np.sort(order), np.arange(n))
    blocks = order[: n // 16 * 16].reshape(-1, 16) // 16
    assert (blocks == blocks[:, :1]).all()
    assert (np.diff(blocks[:, 0]) != 1).mean() > 0.99
    assert (np.diff(order) == 1).mean() < 0.15


def test_repeated_entries_of_a_sparse_row_are_added():
    X = sparse.csr_array((np.array([1.0, 2.0]), np.array([0, 0]), np.array([0, 2])), shape=(1, 2))
    rows = RowSum.build(X, np.ones(1), None, losses.Squared(), penalties.Zero())
    assert rows.rows.X.nnz == 1
    assert X.nnz == 2
    assert rows.value(np.array([1.0, 0.0, 0.0])) == pytest.approx(2.0)


def test_refuses_what_it_cannot_use():
    wrong = optim.Function(lambda x: (0.0, x), 2)
    with pytest.raises(ValueError, match="SGD: problem must be a LinearProblem, got 'Function'"):
        RowSum.of(wrong, "SGD")
    softmax = LinearProblem(
        np.ones((2, 1)), np.array([0, 1]), None, losses.Softmax(), penalties.Zero(), n_outputs=2
    )
    with pytest.raises(ValueError, match="SAGA: problem must be a LinearProblem of one output"):
        RowSum.of(softmax, "SAGA")
    with pytest.raises(ValueError, match=r"SGD: loss must be one of Squared, .*, got Absolute"):
        RowSum.of(problem(losses.Absolute(), penalties.Zero()), "SGD")
    ball = penalties.L2Ball(1.0) if hasattr(penalties, "L2Ball") else None
    if ball is not None:
        with pytest.raises(ValueError, match="SGD: penalty must be one of Zero, L1"):
            RowSum.of(problem(losses.Squared(), ball), "SGD")
