"""Dual logistic regression (linear.34)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from scipy.special import expit
from sklearn.linear_model import LogisticRegression

from margin.core import Status
from margin.losses import Huber, Logistic, logistic_tangent
from margin.optim import IRLS, DualNewton, Function, LinearProblem, Newton, minimise
from margin.penalties import L1, L2, RKHS, Zero
from margin.testing.contracts._values import assert_is_value

RNG = np.random.default_rng(0)
N = 80
X = RNG.normal(size=(N, 3)) + 0.3
Y = (X @ [1.0, -2.0, 0.5] + RNG.logistic(size=N) > 0).astype(float)
SIGN = 2 * Y - 1


def problem(alpha=1.0, weight=None, storage=np.asarray, intercept=False, y=Y):
    return LinearProblem(storage(X), y, weight, Logistic(), L2(alpha), intercept=intercept)


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array, lambda X: X.astype(np.float32)])
@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("weight", [None, RNG.random(N)])
def test_same_coefficients_as_irls(storage, intercept, weight):
    """linear.34: to 1e-6 from the gap, dense, sparse and narrow, with a free intercept or none."""
    stated = problem(0.5, weight, storage, intercept)
    ours = DualNewton(1e-12).run(stated)
    irls = minimise(stated, IRLS(1e-10))
    assert ours.status in (Status.CONVERGED, Status.STALLED)
    assert ours.certificate.value < 1e-10
    assert_allclose(ours.x, irls.x, atol=1e-5)
    assert_allclose(ours.objective, irls.objective, rtol=1e-10)


def test_dual_variables_are_the_probabilities_of_error():
    """linear.34: a* = sigma(-y x b*), and b* = sum a y x / alpha."""
    solution = DualNewton(1e-13, 2000).run(problem())
    a = solution.extras["dual variables"]
    assert_allclose(a, expit(-SIGN * (X @ solution.x)), atol=1e-6)
    assert_allclose(solution.x, X.T @ (a * SIGN), atol=1e-8)


def dual_objective(a, alpha=1.0):
    """The formula of the text for weights one, in extended precision."""
    a = np.asarray(a, dtype=np.longdouble)
    w = X.T.astype(np.longdouble) @ (a * SIGN) / alpha
    return float(-alpha * (w @ w) / 2 - np.sum(a * np.log(a) + (1 - a) * np.log(1 - a)))


def test_any_dual_point_is_below_any_primal_point():
    """linear.34: weak duality for random points, and the tangent bound it comes from."""
    stated = problem()
    for _ in range(100):
        a, w = RNG.random(N), RNG.normal(size=3)
        assert dual_objective(a) <= stated.expand(w).value + 1e-9
        bound = logistic_tangent(SIGN * (X @ w), a)
        assert (bound <= np.logaddexp(0, -SIGN * (X @ w)) + 1e-12).all()


@pytest.mark.skipif(np.finfo(np.longdouble).eps > 1e-18, reason="no extended precision here")
def test_certificate_is_the_gap_in_extended_precision():
    """linear.34: primal minus dual, recomputed from the data alone."""
    for passes in (1, 3, 10):
        solution = DualNewton(1e-12, passes).run(problem())
        margins = (SIGN * (X @ solution.x)).astype(np.longdouble)
        primal = np.sum(np.log1p(np.exp(-margins))) + 0.5 * np.longdouble(solution.x @ solution.x)
        gap = float(primal) - dual_objective(solution.extras["dual variables"])
        assert_allclose(solution.certificate.value, gap, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("intercept", [False, True])
def test_every_gap_of_the_trace_bounds_the_optimum(intercept):
    """linear.34: objective minus gap never exceeds the minimum, also with an intercept."""
    stated = problem(0.2, intercept=intercept)
    best = minimise(stated, Newton(1e-12)).objective
    solution = DualNewton(1e-10, 500).run(stated, trace=True)
    lower = solution.trace["objective"] - solution.trace["gap"]
    assert (lower <= best + 1e-9).all()
    assert (solution.trace["objective"] >= best - 1e-9).all()
    assert solution.trace["x"].shape == (solution.n_iter + 1, stated.dimension)
    if not intercept:
        assert np.diff(lower).min() >= -1e-9  # the dual never falls


def test_against_liblinear():
    """linear.34: the objective without intercept of scikit-learn's dual solver."""
    peer = LogisticRegression(
        C=2.0, solver="liblinear", dual=True, fit_intercept=False, tol=1e-10, max_iter=100_000
    ).fit(X, Y)
    ours = DualNewton(1e-11).run(problem(0.5))
    assert_allclose(ours.x, peer.coef_[0], atol=1e-4)


def test_separable_data_need_no_clipping():
    """linear.34: dual variables near 0 and 1 keep their digits."""
    wide = 50 * X[:, :1]
    y = (wide[:, 0] > 0).astype(float)
    stated = LinearProblem(wide, y, None, Logistic(), L2(1e-3), intercept=False)
    ours = DualNewton(1e-9, 5000).run(stated)
    newton = minimise(stated, Newton(1e-12))
    assert ours.status is Status.CONVERGED
    assert_allclose(ours.x, newton.x, rtol=1e-4)
    assert ours.extras["dual variables"].min() < 1e-9


def test_kernel_logistic_regression():
    """linear.34: a linear kernel gives the linear model, a Gaussian one separates rings."""
    linear = X @ X.T
    stated = LinearProblem(linear, Y, None, Logistic(), RKHS(linear, 0.5), intercept=True)
    ours = DualNewton(1e-11, 3000).run(stated)
    plain = DualNewton(1e-11, 3000).run(problem(0.5, intercept=True))
    assert_allclose(X.T @ ours.x[:-1], plain.x[:-1], atol=1e-5)
    assert_allclose(ours.x[-1], plain.x[-1], atol=1e-5)
    ring = RNG.normal(size=(60, 2))
    inside = (np.linalg.norm(ring, axis=1) < 1).astype(float)
    gauss = np.exp(-((ring[:, None] - ring) ** 2).sum(axis=2))
    kernel = LinearProblem(gauss, inside, None, Logistic(), RKHS(gauss, 0.1), intercept=False)
    solution = DualNewton(1e-8).run(kernel)
    assert solution.status is Status.CONVERGED
    assert ((gauss @ solution.x > 0) == inside).mean() > 0.9
    best = minimise(kernel, Newton(1e-9)).objective
    assert 0 <= solution.objective - best + 1e-9 <= 1e-8 + 1e-9


def test_targets_between_zero_and_one():
    """linear.34: soft labels have the same dual, with the entropy of the prediction."""
    stated = problem(0.5, y=RNG.random(N))
    ours = DualNewton(1e-11).run(stated)
    assert_allclose(ours.x, minimise(stated, Newton(1e-10)).x, atol=1e-5)


def test_warm_start_and_same_seed():
    cold = DualNewton(1e-9).run(problem())
    warm = DualNewton(1e-9).run(problem(), cold.x)
    assert warm.n_iter <= 2 < cold.n_iter
    again = DualNewton(1e-9).run(problem())
    assert (again.x == cold.x).all()


def test_limits_interruption_and_callback():
    short = DualNewton(1e-12, 2).run(problem(1e-3))
    assert short.status is Status.MAX_ITER
    assert "raise max_iter" in short.message
    assert not short.certificate.holds
    seen = []

    def stop(iteration, objective):
        seen.append(iteration)
        if iteration == 3:
            raise KeyboardInterrupt

    stopped = DualNewton(1e-12).run(problem(), callback=stop)
    assert seen == [1, 2, 3]
    assert stopped.n_iter == 3
    assert "interrupted" in stopped.message
    unreachable = DualNewton(1e-300, 2000).run(problem())
    assert unreachable.status is Status.STALLED or unreachable.certificate.value == 0


def test_wrong_problems_are_refused_before_any_work():
    weight = np.ones(N)
    for loss, penalty in ((Logistic(), Zero()), (Huber(), L2(1.0)), (Logistic(), L2(0.0))):
        wrong = LinearProblem(X, Y, weight, loss, penalty)
        with pytest.raises(ValueError, match="DualNewton: problem must be a linear model of log"):
            DualNewton().run(wrong)
    with pytest.raises(ValueError, match="DualNewton: problem must provide gradient"):
        DualNewton().run(LinearProblem(X, Y, weight, Logistic(), L1(1.0)))
    with pytest.raises(ValueError, match="DualNewton: problem must provide rows"):
        DualNewton().run(Function(lambda x: (0.0, x), 2))
    kernel = LinearProblem(X @ X.T, Y, None, Logistic(), RKHS(np.eye(N)))
    with pytest.raises(ValueError, match="a model of the kernel matrix of its penalty"):
        DualNewton().run(kernel)
    with pytest.raises(ValueError, match="DualNewton: x0 must be of shape"):
        DualNewton().run(problem(), np.zeros(7))
    with pytest.raises(ValueError, match="DualNewton: tol must be a number above 0"):
        DualNewton(tol=0.0)


def test_is_an_immutable_value():
    assert_is_value(DualNewton(1e-3))


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("alpha", [1e-3, 1e-6])
def test_a_weak_penalty_does_not_take_ever_more_passes(alpha, intercept):
    """linear.34: joint steps take over, and the gap is still true."""
    stated = problem(alpha, np.full(N, 1 / N), intercept=intercept)
    solution = DualNewton(1e-10, 60).run(stated)
    assert solution.status is Status.CONVERGED
    newton = minimise(stated, Newton(1e-13))
    assert_allclose(solution.x, newton.x, rtol=1e-3)
    assert solution.objective - newton.objective <= solution.certificate.value + 1e-15
    gaps = solution.trace["gap"]
    assert (solution.trace["objective"] - gaps <= newton.objective + 1e-12).all()


@pytest.mark.parametrize("intercept", [False, True])
def test_coefficients_are_as_good_as_the_gap(intercept):
    """A gap of 1e-8 alone would leave an error of 1e-4."""
    stated = problem(0.5, intercept=intercept)
    ours = DualNewton(1e-8).run(stated)
    assert_allclose(ours.x, minimise(stated, IRLS(1e-12)).x, atol=1e-7)
    assert ours.certificate.value <= 1e-8
