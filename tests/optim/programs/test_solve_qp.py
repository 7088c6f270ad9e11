"""Quadratic programs, solved (optim.19)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.optimize import linprog, lsq_linear, nnls

from margin.core import Status
from margin.optim import QuadraticProgram, solve_qp
from margin.optim.programs import _solve_qp as module

pytest.importorskip("clarabel")
ENGINES = ["clarabel", "interior-point"]
RNG = np.random.default_rng(0)


def feasible_program(seed):
    rng = np.random.default_rng(seed)
    d = int(rng.integers(1, 9))
    R = rng.normal(size=(int(rng.integers(1, d + 1)), d))
    A, G = rng.normal(size=(int(rng.integers(0, d)), d)), rng.normal(size=(4, d))
    x = rng.normal(size=d)
    return QuadraticProgram(
        R.T @ R, rng.normal(size=d), A, A @ x, G, G @ x + rng.random(4), x - 1, x + rng.random(d)
    )


@pytest.mark.parametrize("seed", range(12))
def test_engines_agree_and_certify(seed):
    """optim.19: singular objectives, all kinds of constraints at once."""
    program = feasible_program(seed)
    found = [solve_qp(program, solver=engine) for engine in ENGINES]
    for solution in found:
        assert solution.status is Status.CONVERGED
        assert solution.certificate.holds
        assert solution.extras["dual"] <= solution.objective + 1e-7 * (1 + abs(solution.objective))
    assert_allclose(found[0].objective, found[1].objective, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("engine", ENGINES)
def test_hard_margin_golden_numbers(engine):
    """optim.19: x+ = (1,1), x- = (-1,-1): w = (.5,.5), w0 = 0, prices .25, value .25."""
    G = -np.array([[1.0, 1.0, 1.0], [1.0, 1.0, -1.0]])  # y (w x + w0) >= 1
    program = QuadraticProgram(np.diag([1.0, 1.0, 0.0]), np.zeros(3), G=G, h=-np.ones(2))
    solution = solve_qp(program, solver=engine)
    assert_allclose(solution.x, [0.5, 0.5, 0.0], atol=1e-6)
    assert_allclose(solution.extras["multipliers"].inequality, [0.25, 0.25], atol=1e-6)
    assert_allclose([solution.objective, solution.extras["dual"]], [0.25, 0.25], atol=1e-7)


@pytest.mark.parametrize("engine", ENGINES)
def test_least_squares_with_bounds_as_scipy(engine):
    """optim.19: non-negative and box-constrained least squares."""
    X, y = RNG.normal(size=(20, 5)), RNG.normal(size=20)
    P, q = X.T @ X, -X.T @ y
    assert_allclose(
        solve_qp(QuadraticProgram(P, q, lower=0.0), solver=engine).x, nnls(X, y)[0], atol=1e-6
    )
    boxed = solve_qp(QuadraticProgram(P, q, lower=-0.1, upper=0.1), solver=engine)
    assert_allclose(boxed.x, lsq_linear(X, y, (-0.1, 0.1), tol=1e-12).x, atol=1e-5)


@pytest.mark.parametrize("engine", ENGINES)
def test_linear_programs_too(engine):
    c, G, h = RNG.random(4), RNG.normal(size=(6, 4)), RNG.random(6)
    peer = linprog(c, G, h, bounds=[(0, 1)] * 4)
    found = solve_qp(QuadraticProgram(np.zeros((4, 4)), c, G=G, h=h, lower=0, upper=1))
    assert_allclose(found.objective, peer.fun, atol=1e-7)


@pytest.mark.parametrize("engine", ENGINES)
def test_no_solution_is_a_failure_that_says_why(engine):
    empty = QuadraticProgram(np.eye(1), [0.0], G=[[1.0], [-1.0]], h=[-1.0, -1.0])
    solution = solve_qp(empty, solver=engine)
    assert solution.status is Status.FAILED
    assert "contradict each other" in solution.message
    endless = QuadraticProgram(np.diag([1.0, 0.0]), [0.0, 1.0])
    solution = solve_qp(endless, solver=engine)
    assert solution.status is Status.FAILED
    assert "no lower bound" in solution.message


def test_sparse_stays_sparse_and_agrees():
    d = 40
    P = sparse.diags_array(
        [np.full(d, 2.0), np.full(d - 1, -1.0), np.full(d - 1, -1.0)], offsets=[0, 1, -1]
    ).tocsr()
    q = RNG.normal(size=d)
    program = QuadraticProgram(P, q, lower=0.0)
    assert sparse.issparse(program.P)
    assert sparse.issparse(program.inequalities()[0])
    dense = solve_qp(QuadraticProgram(P.toarray(), q, lower=0.0), solver="interior-point")
    for engine in ENGINES:
        found = solve_qp(program, solver=engine)
        assert found.status is Status.CONVERGED
        assert_allclose(found.x, dense.x, atol=1e-5)


def test_trajectory_and_callback():
    """optim.19: the path through the interior, for pictures."""
    program = QuadraticProgram(np.eye(2), [-3.0, -1.0], lower=0.0, upper=1.0)
    seen = []
    solution = solve_qp(program, trace=True, callback=lambda i, f: seen.append((i, f)))
    assert solution.solver == "interior-point"
    assert solution.trace["x"].shape == (solution.n_iter + 1, 2)
    assert len(solution.trace["objective"]) == solution.n_iter + 1
    assert seen == list(enumerate(solution.trace["objective"].tolist()))[1:]
    with pytest.raises(ValueError, match="as Clarabel keeps no iterates"):
        solve_qp(program, solver="clarabel", trace=True)


def test_interruption_keeps_the_best_point():
    def stop(iteration, objective):
        raise KeyboardInterrupt

    program = QuadraticProgram(np.eye(2), [-3.0, -1.0], lower=0.0, upper=1.0)
    solution = solve_qp(program, solver="interior-point", callback=stop)
    assert solution.status is Status.MAX_ITER
    assert "interrupted after 1" in solution.message


def test_without_clarabel(monkeypatch):
    """optim.19: our own method takes over, and asking for Clarabel says how to get it."""
    monkeypatch.setattr(module, "find_spec", lambda name: None)
    program = QuadraticProgram(np.eye(1), [1.0], lower=0.0)
    assert solve_qp(program).solver == "interior-point"
    with pytest.raises(ValueError, match=r"pip install margin\[qp\]"):
        solve_qp(program, solver="clarabel")


def test_too_few_iterations_are_told():
    for engine in ENGINES:
        solution = solve_qp(feasible_program(3), solver=engine, max_iter=2)
        assert solution.status is Status.MAX_ITER
        assert not solution.certificate.holds
        assert "above tol" in solution.message


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"solver": "osqp"}, "solver must be one of 'auto'"),
        ({"tol": 0.0}, "tol must be a number above 0"),
        ({"max_iter": 0}, "max_iter must be a number above 0"),
    ],
)
def test_bad_settings_are_refused(settings, what):
    with pytest.raises(ValueError, match=f"solve_qp: {what}"):
        solve_qp(QuadraticProgram(np.eye(1), [1.0]), **settings)


@pytest.mark.skipif(np.finfo(np.longdouble).eps > 1e-18, reason="no extended precision here")
def test_gap_in_extended_precision():
    """optim.19: the certified gap, recomputed from the data alone in 64 bits of mantissa."""
    program = feasible_program(1)
    solution = solve_qp(program, solver="interior-point")
    wide = np.longdouble
    prices = solution.extras["multipliers"]
    P, q, x = program.P.astype(wide), program.q.astype(wide), solution.x.astype(wide)
    primal = 0.5 * x @ P @ x + q @ x
    dual = -0.5 * x @ P @ x - program.b.astype(wide) @ prices.equality.astype(wide)
    dual -= program.h.astype(wide) @ prices.inequality.astype(wide)
    dual -= program.upper.astype(wide) @ prices.upper - program.lower.astype(wide) @ prices.lower
    relative = abs(primal - dual) / max(1, abs(primal))
    assert abs(float(relative) - solution.extras["gap"]) < 1e-14
