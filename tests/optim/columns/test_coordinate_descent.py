"""Coordinate descent as a solver of linear problems (linear.14, linear.15)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from margin.core import Status
from margin.losses import Logistic, Softmax, Squared
from margin.optim import FISTA, CoordinateDescent, LinearProblem, duality_gap, minimise
from margin.penalties import L1, L2, ElasticNet, Zero
from margin.testing import SolverContract


class TestCoordinateDescentContract(SolverContract):
    def make(self):
        return [CoordinateDescent(certificate="gradient norm")]

    def solve(self, problem, solver, x0=None, callback=None):
        return solver.run(problem, x0, callback)


def make(loss, penalty, storage=np.asarray, intercept=True, weighted=True, n=80, p=12, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * np.geomspace(0.3, 3, p) * (rng.random((n, p)) < 0.7)
    score = X[:, :3].sum(axis=1) + rng.normal(size=n) + 0.7
    y = score if isinstance(loss, Squared) else (score > 0).astype(float)
    weight = rng.random(n) / n if weighted else None
    return LinearProblem(storage(X), y, weight, loss, penalty, intercept=intercept)


STORAGES = [np.asarray, np.asfortranarray, np.float32, sparse.csr_array]


@pytest.mark.parametrize("loss", [Squared(), Logistic()])
@pytest.mark.parametrize("penalty", [L1(0.05), ElasticNet(0.1, 0.5), L2(0.1)])
@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("intercept", [False, True])
def test_two_engines_agree(loss, penalty, storage, intercept):
    """linear.14, linear.15: the same minimum as accelerated proximal gradients."""
    problem = make(loss, penalty, storage, intercept)
    ours = CoordinateDescent(tol=1e-12).run(problem)
    peer = minimise(problem, FISTA(tol=1e-9, max_iter=100_000))
    assert ours.status is Status.CONVERGED, ours.message
    assert_allclose(ours.x, peer.x, atol=1e-6)
    assert ours.objective <= peer.objective + 1e-12
    assert_allclose(ours.objective, problem.expand(ours.x).value, rtol=1e-12)


@pytest.mark.parametrize("loss", [Squared(), Logistic()])
@pytest.mark.parametrize("tol", [1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
def test_the_certificate_is_the_gap_measured_afresh(loss, tol, storage):
    """optim.20: relative to the energy of the target, or to the entropy of the labels."""
    problem = make(loss, L1(0.02), storage)
    solution = CoordinateDescent(tol=tol).run(problem)
    s, y = problem.weight, problem.y
    mean = s @ y / s.sum()
    if isinstance(loss, Squared):
        scale = s @ (y - mean) ** 2
    else:
        scale = -s.sum() * (mean * np.log(mean) + (1 - mean) * np.log(1 - mean))
    assert solution.certificate.kind == "relative duality gap"
    assert solution.certificate.value <= tol
    gap = duality_gap(problem, solution.x) / scale
    assert_allclose(solution.certificate.value, gap, rtol=1e-3, atol=1e-13)


def test_golden_lasso_vanishes_from_the_largest_product_on():
    """linear.14: RSS + lambda |b|_1 is zero from lambda = 2 max |X'y| on."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(30, 6)), rng.normal(size=30)
    limit = 2 * np.abs(X.T @ y).max()
    for factor, empty in ((1.0001, True), (0.999, False)):
        # RSS + lambda |b| is twice the squared loss plus lambda / 2 |b|.
        problem = LinearProblem(X, y, None, Squared(), L1(factor * limit / 2), intercept=False)
        assert (not CoordinateDescent(tol=1e-10).run(problem).x.any()) == empty


def test_golden_orthonormal_design_is_the_soft_threshold():
    """linear.14: sign(z) max(|z| - lambda / 2, 0) for RSS + lambda |b|_1."""
    rng = np.random.default_rng(0)
    Q, _ = np.linalg.qr(rng.normal(size=(20, 5)))
    y, strength = 3 * rng.normal(size=20), 1.1
    z = Q.T @ y
    problem = LinearProblem(Q, y, None, Squared(), L1(strength / 2), intercept=False)
    wanted = np.sign(z) * np.maximum(np.abs(z) - strength / 2, 0)
    assert_allclose(CoordinateDescent(tol=1e-14).run(problem).x, wanted, atol=1e-7)


def test_positive_coefficients():
    """No coefficient is negative, and conditions hold for those held at zero."""
    problem = make(Squared(), L1(0.01))
    problem.y[:] = -problem.y
    solution = CoordinateDescent(tol=1e-12, positive=True).run(problem)
    w = solution.x[:-1]
    assert w.min() == 0.0
    slope = problem.expand(solution.x).smooth_gradient[:-1]
    assert (slope[w == 0] >= -0.01 - 1e-6).all()
    assert_allclose(slope[w > 0], -0.01, atol=1e-5)


def test_no_penalty_is_least_squares():
    problem = make(Squared(), Zero(), weighted=False)
    solution = CoordinateDescent(tol=1e-9).run(problem)
    design = np.column_stack([problem.X, np.ones(80)])
    assert solution.certificate.kind == "gradient norm"
    assert_allclose(solution.x, np.linalg.lstsq(design, problem.y)[0], atol=1e-6)


@pytest.mark.parametrize("loss", [Squared(), Logistic()])
def test_degenerate_columns(loss):
    """Equal, constant and empty columns, and fewer rows than columns."""
    problem = make(loss, L1(0.01), n=15, p=40)
    X = problem.X
    X[:, 1], X[:, 2], X[:, 3] = X[:, 0], 7.0, 0.0
    solution = CoordinateDescent(tol=1e-8).run(problem)
    assert solution.status is Status.CONVERGED
    assert solution.x[2] == solution.x[3] == 0.0


def test_constant_targets_need_no_features():
    X = np.random.default_rng(0).normal(size=(10, 3))
    problem = LinearProblem(X, np.full(10, 0.1), None, Squared(), L1(0.1))
    solution = CoordinateDescent().run(problem)
    assert solution.status is Status.CONVERGED
    assert_allclose(solution.x, [0, 0, 0, 0.1])


def test_warm_start_saves_work():
    problem = make(Logistic(), L1(0.01))
    cold = CoordinateDescent(tol=1e-9).run(problem)
    warm = CoordinateDescent(tol=1e-9).run(problem, cold.x)
    assert warm.n_iter <= 1
    assert cold.n_iter > 2


def test_wrong_problems_are_refused():
    X, y = np.ones((3, 1)), np.array([0, 1, 2])
    softmax = LinearProblem(X, y, None, Softmax(), L1(0.1), n_outputs=3)
    with pytest.raises(
        ValueError, match="CoordinateDescent: problem must be a LinearProblem of one"
    ):
        CoordinateDescent().run(softmax)
    with pytest.raises(ValueError, match="x0 must be of shape"):
        CoordinateDescent().run(make(Squared(), L1(1.0)), np.zeros(3))
    with pytest.raises(ValueError, match="certificate must be one of"):
        CoordinateDescent(certificate="hope")
