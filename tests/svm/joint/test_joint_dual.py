"""The dual of all classes together, as a value."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import Status
from margin.native.duals.multiclass_dual import CRAMMER_SINGER, WESTON_WATKINS
from margin.svm import CrammerSingerSVC, WestonWatkinsSVC
from margin.svm.joint._joint_dual import JointDual, _Passes

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 2))
CODES = np.argmax(X @ RNG.normal(size=(2, 3)) + 0.5 * RNG.normal(size=(40, 3)), axis=1)
KINDS = [(CRAMMER_SINGER, CrammerSingerSVC.losses), (WESTON_WATKINS, WestonWatkinsSVC.losses)]


def problem(kind, losses, bias):
    return JointDual(X @ X.T, CODES, np.full(40, 0.5), 3, kind, losses, bias)


def solve(given, **changes):
    settings = {"tol": 1e-4, "max_iter": 2000, "callback": None, **changes}
    return given.solve(rng=np.random.default_rng(0), **settings)


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize(("kind", "losses"), KINDS)
def test_gap_and_objective_are_those_of_the_answer(kind, losses, bias):
    """svm.16, svm.18: primal and dual written out at the coefficients that come back."""
    solution = solve(problem(kind, losses, bias))
    b, shift = solution.x, solution.extras["bias"]
    F = X @ (X.T @ b)
    primal = 0.5 * np.sum(b * F) + 0.5 * losses(F + shift, CODES).sum()
    assert solution.status is Status.CONVERGED
    assert solution.objective == pytest.approx(primal, rel=1e-9)
    own = b[np.arange(40), CODES].sum() * (1 if kind == CRAMMER_SINGER else 2)
    dual = own - 0.5 * np.sum(b * F) - shift @ b.sum(axis=0)
    assert (primal - dual) / primal <= 1e-4
    assert_allclose(b.sum(axis=1), 0, atol=1e-9)


def test_too_few_passes_and_the_trace():
    seen = []
    short = solve(
        problem(*KINDS[0], True), max_iter=3, tol=1e-12, callback=lambda i, v: seen.append(i)
    )
    assert short.status is Status.MAX_ITER
    assert "stopped after max_iter=3 passes with relative duality gap" in short.message
    assert seen == [1, 2, 3]
    assert set(short.trace) == {"objective", "gap"}


def test_interrupted_passes_leave_the_best_point():
    def stop(iteration, value):
        if iteration == 2:
            raise KeyboardInterrupt

    solution = solve(problem(*KINDS[0], False), callback=stop, tol=1e-12)
    assert solution.interrupted
    assert np.isfinite(solution.x).all()
    assert solution.x.any()


def test_passes_end_where_scores_leave_all_numbers(monkeypatch):
    looks = iter([(1.0, 3.0, 3.0), (0.5, 2.0, 1.0), (np.inf, np.inf, np.nan)])
    monkeypatch.setattr(_Passes, "_look", lambda self: next(looks))
    codes = np.array([0, 1, 0])
    problem = JointDual(np.eye(3), codes, np.ones(3), 2, CRAMMER_SINGER, np.zeros_like, False)
    *_, last = _Passes(problem).states(1e-3, np.random.default_rng(0))
    assert (last.objective, last.trace, last.n_iter) == (2.0, (2.0, 1.0), 2)
    assert last.stuck == "scores beyond all numbers"
