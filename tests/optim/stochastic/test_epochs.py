"""Epochs until the objective no longer falls."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin import losses
from margin.core import Status
from margin.optim import SAG, SAGA, SGD, Constant, DivideOnStall, RowSum
from margin.optim.stochastic._epochs import run_epochs
from margin.penalties import L2


def rows(loss=None, scale=1.0):
    rng = np.random.default_rng(0)
    X = scale * rng.normal(size=(80, 3))
    y = X @ [1.0, -2.0, 0.5] / scale + 0.5 * rng.normal(size=80)
    chosen = losses.Squared() if loss is None else loss
    target = y if loss is None else (y > 0).astype(float)
    return RowSum.build(X, target, None, chosen, L2(0.1))


def ridge(table):
    A = np.column_stack([table.rows.X, np.ones(80)])
    return np.linalg.solve(A.T @ A / 80 + np.diag([0.1] * 3 + [0.0]), A.T @ table.rows.y / 80)


@pytest.mark.parametrize("solver", [SGD(), SAG(), SAGA(), SGD(schedule=DivideOnStall(0.05))])
def test_reaches_the_ridge_solution(solver):
    """optim.03, optim.08, optim.13: converged at the solution of the normal equations."""
    table = rows()
    solution = run_epochs(table, solver, np.zeros(4), tol=1e-7)
    assert solution.status is Status.CONVERGED
    assert solution.certificate.holds
    assert_allclose(solution.x, ridge(table), atol=0.1 if solver == SGD() else 0.03)
    assert_allclose(solution.objective, table.value(solution.x), rtol=1e-12)
    assert solution.objective == solution.trace["objective"].min()
    size = np.abs(table.gradient(solution.x)).max()
    assert_allclose(solution.extras["gradient_norm"], size)


def test_epochs_are_counted_and_the_status_is_true():
    """optim.03: too few epochs are not called convergence, unless none were asked for."""
    seen = []
    short = run_epochs(
        rows(), SGD(max_iter=3), np.zeros(4), tol=1e-12, callback=lambda k, f: seen.append(k)
    )
    assert short.status is Status.MAX_ITER
    assert "max_iter=3" in short.message
    assert seen == [1, 2, 3]
    assert short.n_iter == 3
    fixed = run_epochs(rows(), SGD(max_iter=3), np.zeros(4), tol=None)
    assert (fixed.status, fixed.n_iter) == (Status.CONVERGED, 3)


def test_a_search_can_be_continued():
    """optim.03: three epochs and then four are the same as seven."""
    table = rows()
    once = run_epochs(table, SGD(max_iter=7), np.zeros(4), tol=None)
    part = run_epochs(table, SGD(max_iter=3), np.zeros(4), tol=None)
    kept = part.extras["progress"]
    rest = run_epochs(table, SGD(max_iter=4), np.zeros(4), tol=None, progress=kept)
    assert_array_equal(rest.extras["progress"].w, once.extras["progress"].w)
    assert rest.extras["progress"].epochs == 7


def test_diverging_epochs_are_undone():
    """optim.03: a rate far too long is lowered tenfold, on the record, until it serves."""
    table = rows()
    solver = SGD(schedule=Constant(30.0), max_iter=300)
    solution = run_epochs(table, solver, np.zeros(4), tol=1e-4)
    assert solution.repairs
    assert "diverged" in solution.repairs[0]
    assert solution.extras["progress"].damping < 1
    assert np.isfinite(solution.trace["objective"]).all()
    assert solution.objective < table.value(np.zeros(4))


def test_monitors_and_interruptions():
    """The point that the monitor likes best; a break keeps what was found."""
    table = rows()
    target = np.full(4, 0.1)
    near = run_epochs(
        table,
        SGD(max_iter=20),
        np.zeros(4),
        tol=1e-9,
        monitor=lambda x: float(np.linalg.norm(x - target)),
    )
    assert np.linalg.norm(near.x - target) <= np.linalg.norm(target)

    def stop(epoch, objective):
        if epoch == 2:
            raise KeyboardInterrupt

    broken = run_epochs(table, SGD(), np.zeros(4), tol=1e-9, callback=stop)
    assert broken.status is Status.MAX_ITER
    assert "interrupted after 2 epochs" in broken.message
    assert broken.objective < table.value(np.zeros(4))


def test_kinks_have_no_gradient_norm():
    """optim.03: beside a kink the gradient says nothing."""
    solution = run_epochs(rows(losses.Hinge()), SGD(), np.zeros(4), tol=1e-3)
    assert solution.extras["gradient_norm"] is None
    assert solution.status is Status.CONVERGED
