"""Sequential minimal optimisation (svm.08) against a general solver of quadratic programs."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from smo_problems import Rows, blobs, classification

from margin.core import Status
from margin.optim import SMO, BoxDual, GramMatrix, optimality, solve_qp


@pytest.mark.parametrize("C", [0.1, 1.0, 50.0])
def test_same_optimum_as_a_general_solver(C):
    """svm.07, svm.08: exact to 1e-8 at tol=1e-8."""
    problem = classification(*blobs(60), C)
    ours = SMO(tol=1e-8).run(problem)
    program = solve_qp(problem.program(), tol=1e-11)
    assert ours.status is Status.CONVERGED
    assert_allclose(ours.objective, program.objective, rtol=1e-8)
    assert_allclose(ours.x, program.x, atol=1e-4 * C)
    at = ours.extras["optimality"]
    assert at.violation <= 1e-8
    assert abs(at.gap) <= 1e-7 * at.primal
    assert_allclose(ours.x.sum(), 0, atol=1e-10)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shrinking", [True, False])
def test_working_sets_cache_and_shrinking_reach_the_same_optimum(dtype, shrinking):
    K, y = blobs(1500)
    exact = SMO(tol=1e-6).run(classification(K, y))
    # A cache of a single working set.
    solver = SMO(tol=1e-3, cache_size=1e-3, shrinking=shrinking)
    found = solver.run(classification(K.astype(dtype), y, face=Rows))
    assert found.status is Status.CONVERGED
    assert_allclose(found.objective, exact.objective, rtol=1e-5)
    fresh = optimality(classification(K, y), found.x, K @ found.x)
    assert fresh.violation <= 1.01e-3
    assert fresh.gap <= 1e-3 * fresh.primal
    assert_allclose(found.extras["scores"], K @ found.x, atol=1e-4)


def test_objective_never_rises_and_threads_do_not_matter():
    K, y = blobs(1200)
    one = SMO(n_threads=1).run(classification(K, y, face=Rows))
    two = SMO(n_threads=2).run(classification(K, y, face=Rows))
    assert_array_equal(one.x, two.x)
    assert np.diff(one.trace["objective"]).max() <= 1e-9
    assert one.trace["objective"][-1] == one.objective


def test_two_groups_and_shared_rows():
    """Fixed sums in two groups, two variables per row: the form of nu-regression."""
    K, _ = blobs(40)
    t = np.sin(np.arange(40.0))
    start = np.concatenate([np.full(40, 0.2), np.full(40, -0.2)])
    problem = BoxDual(
        GramMatrix(K),
        np.tile(t, 2),
        np.repeat([0.0, -1.0], 40),
        np.repeat([1.0, 0.0], 40),
        start,
        rows=np.tile(np.arange(40), 2),
        group=np.repeat([0, 1], 40),
    )
    ours = SMO(tol=1e-8).run(problem)
    program = solve_qp(problem.program(), tol=1e-11)
    assert_allclose(ours.objective, program.objective, rtol=1e-7)
    assert_allclose([ours.x[:40].sum(), ours.x[40:].sum()], [8, -8])


def test_order_of_rows_does_not_matter_for_small_problems():
    K, y = blobs(80)
    order = np.random.default_rng(1).permutation(80)
    one = SMO().run(classification(K, y))
    two = SMO().run(classification(K[np.ix_(order, order)], y[order]))
    assert_allclose(two.x, one.x[order], atol=1e-8)


def test_unbounded_dual_fails_and_limit_is_kept():
    K, y = np.ones((2, 2)), np.array([1.0, -1.0])
    hard = BoxDual(GramMatrix(K), y, np.array([0, -np.inf]), np.array([np.inf, 0]), np.zeros(2))
    found = SMO().run(hard)
    assert found.status is Status.FAILED
    assert "no maximum" in found.message
    K, y = blobs(700)
    cut = SMO(max_iter=5).run(classification(K, y))
    assert cut.status is Status.MAX_ITER
    assert cut.n_iter == 5
    assert "max_iter=5" in cut.message


def test_interruption_leaves_a_feasible_point():
    K, y = blobs(900)

    def stop(steps, value):
        raise KeyboardInterrupt

    found = SMO().run(classification(K, y, face=Rows), callback=stop)
    assert found.status is Status.MAX_ITER
    assert "interrupted" in found.message
    assert_allclose(found.x.sum(), 0, atol=1e-9)
    assert_allclose(found.extras["scores"], K @ found.x, atol=1e-8)


@pytest.mark.parametrize("bad", [{"tol": 0}, {"cache_size": -1}, {"shrinking": 3}])
def test_bad_settings(bad):
    with pytest.raises(ValueError, match="SMO: "):
        SMO(**bad)
