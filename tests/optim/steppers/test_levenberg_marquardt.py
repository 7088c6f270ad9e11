"""The Levenberg-Marquardt engine (linear.10)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import optimize

from margin.core import Status
from margin.optim import levenberg_marquardt
from margin.optim.steppers._levenberg_marquardt import differences


def rosenbrock(x):
    return np.array([10 * (x[1] - x[0] ** 2), 1 - x[0]])


def powell(x):
    """Singular Jacobian at the solution 0."""
    return np.array(
        [
            x[0] + 10 * x[1],
            np.sqrt(5) * (x[2] - x[3]),
            (x[1] - 2 * x[2]) ** 2,
            np.sqrt(10) * (x[0] - x[3]) ** 2,
        ]
    )


def helix(x):
    turn = np.arctan2(x[1], x[0]) / (2 * np.pi)
    return np.array([10 * (x[2] - 10 * turn), 10 * (np.hypot(x[0], x[1]) - 1), x[2]])


def brown_dennis(x):
    """Large residual: minimum 85822.2 (Moré, Garbow and Hillstrom)."""
    t = np.arange(1, 21) / 5
    return (x[0] + t * x[1] - np.exp(t)) ** 2 + (x[2] + x[3] * np.sin(t) - np.cos(t)) ** 2


@pytest.mark.parametrize(
    ("function", "start", "minimum"),
    [
        (rosenbrock, [-1.2, 1.0], [1.0, 1.0]),
        (helix, [-1.0, 0.1, 0.0], [1.0, 0.0, 0.0]),
    ],
)
def test_classical_problems_of_zero_residual(function, start, minimum):
    """linear.10: known minima, reached exactly."""
    found = levenberg_marquardt(function, np.array(start))
    assert found.status is Status.CONVERGED
    assert_allclose(found.x, minimum, atol=1e-9)
    assert found.objective < 1e-20


def test_large_residual():
    """linear.10: published minimum; Gauss-Newton alone diverges here."""
    found = levenberg_marquardt(brown_dennis, np.array([25.0, 5, -5, -1]), tol=1e-5, max_iter=2000)
    assert_allclose(2 * found.objective, 85822.2, rtol=1e-6)
    assert found.status is Status.CONVERGED


def test_singular_jacobian_at_the_solution():
    found = levenberg_marquardt(powell, np.array([3.0, -1.0, 0.0, 1.0]))
    assert np.abs(found.x).max() < 1e-3
    assert found.objective < 1e-12


@pytest.mark.parametrize("given", [True, False])
def test_agrees_with_scipy(given):
    """linear.10: a noisy sum of exponentials, with and without derivatives."""
    rng = np.random.default_rng(0)
    t = np.linspace(0, 5, 60)
    y = 2 * np.exp(-0.4 * t) + 0.7 * np.exp(-3 * t) + 0.02 * rng.normal(size=60)

    def residual(x):
        return x[0] * np.exp(-x[1] * t) + x[2] * np.exp(-x[3] * t) - y

    def jacobian(x):
        a, b = np.exp(-x[1] * t), np.exp(-x[3] * t)
        return np.column_stack([a, -x[0] * t * a, b, -x[2] * t * b])

    start = np.array([1.0, 0.2, 1.0, 2.0])
    found = levenberg_marquardt(residual, start, jacobian=jacobian if given else None)
    peer = optimize.least_squares(residual, start, jacobian, xtol=1e-15, ftol=1e-15, gtol=1e-15)
    assert found.status is Status.CONVERGED
    assert found.objective <= peer.cost * (1 + 1e-12)
    assert_allclose(found.x, peer.x, rtol=1e-6)
    assert_allclose(found.extras["jacobian"], jacobian(found.x), atol=1e-8)


def test_certificate_is_the_gradient_in_the_metric_of_the_curvature():
    """linear.10: recomputed from its definition, and blind to the units of the parameters."""
    rng = np.random.default_rng(1)
    A, b = rng.normal(size=(30, 3)), rng.normal(size=30)
    for units in (np.ones(3), np.array([1e-6, 1.0, 1e6])):
        found = levenberg_marquardt(lambda x, A=A * units: A @ x - b, np.ones(3) / units)
        r, J = found.extras["residual"], found.extras["jacobian"]
        gradient = J.T @ r
        offset = np.sqrt(max(gradient @ np.linalg.solve(J.T @ J, gradient), 0)) / np.linalg.norm(r)
        assert found.certificate.holds
        assert_allclose(found.certificate.value, offset, rtol=1e-3, atol=1e-13)
        assert_allclose(found.x * units, np.linalg.lstsq(A, b)[0], atol=1e-7)


def test_trace_never_rises_and_callback_sees_every_step():
    seen = []
    found = levenberg_marquardt(
        rosenbrock, np.array([-1.2, 1.0]), callback=lambda i, f: seen.append((i, f))
    )
    trace = found.trace["objective"]
    assert np.diff(trace).max() <= 1e-13 * trace[0]
    assert_allclose([f for _, f in seen], trace[1:])
    assert [i for i, _ in seen] == list(range(1, found.n_iter + 1))


def test_tolerances_below_the_rounding_of_the_objective():
    """linear.10: an offset of 1e-11 changes the sum of squares by 1e-22 of itself."""
    rng = np.random.default_rng(2)
    t = np.linspace(0, 3, 50)
    y = 2 * np.exp(-t) + 0.1 * rng.normal(size=50)

    def slopes(x):
        return np.column_stack([np.exp(-x[1] * t), -x[0] * t * np.exp(-x[1] * t)])

    found = levenberg_marquardt(
        lambda x: x[0] * np.exp(-x[1] * t) - y, np.ones(2), jacobian=slopes, tol=1e-11
    )
    assert found.status is Status.CONVERGED
    assert np.abs(slopes(found.x).T @ found.extras["residual"]).max() < 1e-10


def test_cut_short_stalled_and_failed():
    """linear.10: how it ended is told truly."""
    short = levenberg_marquardt(rosenbrock, np.array([-1.2, 1.0]), max_iter=2)
    assert short.status is Status.MAX_ITER
    assert not short.certificate.holds
    assert "raise max_iter" in short.message
    wrong = levenberg_marquardt(
        rosenbrock, np.array([-1.2, 1.0]), jacobian=lambda x: -differences(rosenbrock, x)
    )
    assert wrong.status is Status.STALLED
    assert "Jacobian" in wrong.message
    nowhere = levenberg_marquardt(lambda x: np.log(x), np.array([-1.0]))
    assert nowhere.status is Status.FAILED
    with pytest.raises(
        ValueError, match=r"levenberg_marquardt: jacobian must be of shape \(2, 2\)"
    ):
        levenberg_marquardt(rosenbrock, np.zeros(2), jacobian=lambda x: np.zeros((3, 2)))


def test_steps_out_of_the_domain_are_shortened():
    found = levenberg_marquardt(lambda x: np.log(x) + 3.0, np.array([5.0]))
    assert found.status is Status.CONVERGED
    assert_allclose(found.x, [np.exp(-3.0)], rtol=1e-8)


def test_start_at_the_solution_and_undetermined_parameters():
    there = levenberg_marquardt(rosenbrock, np.ones(2))
    assert there.status is Status.CONVERGED
    assert there.n_iter == 0
    both = levenberg_marquardt(lambda x: np.array([x[0] + x[1] - 2, x[0] + x[1] - 4]), np.zeros(2))
    assert both.status is Status.CONVERGED
    assert_allclose(both.x.sum(), 3.0, rtol=1e-8)
    assert both.extras["rank"] == 1


def test_differences_agree_with_derivatives():
    x = np.array([0.3, -2e5, 4e-7, 0.0])

    def f(v):
        return np.array([np.sin(v[0]) * v[1], v[1] ** 2 * v[2], np.exp(v[3]), v[2]])

    wanted = [
        [np.cos(0.3) * x[1], np.sin(0.3), 0, 0],
        [0, 2 * x[1] * x[2], x[1] ** 2, 0],
        [0, 0, 0, 1],
        [0, 0, 1, 0],
    ]
    assert_allclose(differences(f, x), wanted, rtol=1e-8, atol=1e-9)
