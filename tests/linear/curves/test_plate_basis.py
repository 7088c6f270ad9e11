"""Thin-plate splines and their posterior variance (linear.19)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.linear.curves._curve_data import DistinctPoints
from margin.linear.curves._plate_basis import PlateBasis, PlateSpectrum, plate_kernel
from margin.linear.curves._spline_posterior import spline_variance


def sample(n=15, p=2, seed=0):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n, p))
    return DistinctPoints(points, rng.normal(size=n), rng.random(n) + 0.3, 0.0)


@pytest.mark.parametrize("p", [1, 2, 3, 4])
def test_solution_satisfies_the_saddle_point_system(p):
    """linear.19: the bordered equations written out, weights and all."""
    data = sample(p=p)
    basis = PlateBasis.of(data.points, data.weight)
    dual, affine, dof = PlateSpectrum.of(basis, data).solve(0.3)
    T = basis.affine
    zero = np.zeros((p + 1, p + 1))
    system = np.block([[basis.kernel + 0.3 * np.diag(1 / data.weight), T], [T.T, zero]])
    wanted = np.linalg.solve(system, np.append(data.mean, np.zeros(p + 1)))
    assert_allclose(np.append(dual, affine), wanted, rtol=1e-7, atol=1e-9)
    hat = np.linalg.solve(system, np.vstack([np.eye(15), np.zeros((p + 1, 15))]))
    smoother = np.hstack([basis.kernel, T]) @ hat
    assert_allclose(dof, np.trace(smoother), rtol=1e-7)


@pytest.mark.parametrize("alpha", [1e-3, 0.5, 40.0])
@pytest.mark.parametrize("p", [1, 2, 3])
def test_variance_at_the_points_is_the_hat_matrix_over_the_weights(p, alpha):
    """linear.19: the posterior covariance of the surface is sigma^2 H S^-1."""
    data = sample(p=p)
    basis = PlateBasis.of(data.points, data.weight)
    T, zero = basis.affine, np.zeros((p + 1, p + 1))
    system = np.block([[basis.kernel + alpha * np.diag(1 / data.weight), T], [T.T, zero]])
    hat = np.linalg.solve(system, np.vstack([np.eye(15), np.zeros((p + 1, 15))]))
    leverage = np.diag(np.hstack([basis.kernel, T]) @ hat)
    assert_allclose(basis.variance(data.points, alpha), leverage / data.weight, rtol=1e-6)


@pytest.mark.parametrize("p", [2, 3])
def test_variance_elsewhere_is_that_of_the_best_linear_predictor(p):
    """linear.19: universal kriging with the generalised covariance, by the bordered system."""
    data, alpha = sample(p=p), 0.4
    new = np.random.default_rng(1).normal(size=(9, p)) * 2
    basis = PlateBasis.of(data.points, data.weight)
    T, zero = np.column_stack([np.ones(15), data.points]), np.zeros((p + 1, p + 1))
    system = np.block([[basis.kernel / alpha + np.diag(1 / data.weight), T], [T.T, zero]])
    side = np.vstack([plate_kernel(data.points, new) / alpha, np.ones(9), new.T])
    wanted = -np.sum(side * np.linalg.solve(system, side), axis=0)
    assert_allclose(basis.variance(new, alpha), wanted, rtol=1e-6)


def test_on_the_line_it_is_the_smoothing_spline():
    """linear.18, linear.19: the kernel r^3 / 12 is that of the integrated Wiener process."""
    data = sample(p=1)
    order = np.argsort(data.points[:, 0])
    knots, weight = data.points[order, 0], data.weight[order]
    new = np.linspace(-3.0, 3.0, 20)
    plate = PlateBasis.of(knots[:, None], weight).variance(new[:, None], 0.3)
    assert_allclose(plate, spline_variance(new, knots, weight, 0.3 / 12), rtol=1e-6)


def test_affine_targets_leave_nothing_to_choose():
    data = sample(n=3)
    spectrum = PlateSpectrum.of(PlateBasis.of(data.points, data.weight), data)
    assert spectrum.best_alpha() == 0.0
    assert spectrum.solve(0.0)[2] == 3.0


@pytest.mark.parametrize("p", [1, 2, 4])
def test_cross_validation_does_not_take_noise_for_a_surface(p):
    """linear.19: near interpolation the score tends to a limit, it does not vanish."""
    data = sample(n=40, p=p, seed=p)
    spectrum = PlateSpectrum.of(
        PlateBasis.of(data.points, np.ones(40)), data._replace(weight=np.ones(40))
    )
    assert spectrum.solve(spectrum.best_alpha())[2] < 30.0


def test_eigenvalues_below_rounding_are_zero():
    points = np.array([[0.0], [1.0], [2.0], [1e12]])
    values, _ = PlateBasis.of(points, np.ones(4)).eigen()
    assert_allclose(values, 0.0)
