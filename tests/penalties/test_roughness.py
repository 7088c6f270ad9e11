"""Roughness matrices (penalties.05)."""

from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from scipy.interpolate import BSpline, CubicSpline

from margin.penalties import Quadratic, roughness_matrix


def bsplines(knots):
    t = np.concatenate([[knots[0]] * 3, knots, [knots[-1]] * 3])
    p = len(t) - 4
    return [BSpline(t, np.eye(p)[j], 3) for j in range(p)]


def test_cubic_b_splines_against_quadrature():
    """penalties.05: every entry of Omega by adaptive integration between the knots."""
    knots = np.array([0.0, 0.3, 1.0, 1.5, 3.0])
    basis = [b.derivative(2) for b in bsplines(knots)]
    omega = roughness_matrix(lambda x: np.column_stack([b(x) for b in basis]), knots)
    for j, first in enumerate(basis):
        for k, second in enumerate(basis):
            parts = [
                quad(lambda x, f=first, g=second: f(x) * g(x), a, b)[0] for a, b in pairwise(knots)
            ]
            assert_allclose(omega[j, k], sum(parts), atol=1e-9)


def test_lines_have_no_roughness_and_the_form_is_the_integral():
    """penalties.05: w^T Omega w is the integral of the squared second derivative."""
    knots = np.linspace(0, 2, 6)
    values = np.random.default_rng(0).normal(size=6)
    cards = [CubicSpline(knots, e, bc_type="natural") for e in np.eye(6)]
    omega = roughness_matrix(lambda x: np.column_stack([c(x, 2) for c in cards]), knots)
    bent = CubicSpline(knots, values, bc_type="natural")
    integral = sum(quad(lambda x: bent(x, 2) ** 2, a, b)[0] for a, b in pairwise(knots))
    assert_allclose(2 * Quadratic(omega).value(values), integral)
    assert_allclose(Quadratic(omega).value(3 - 2 * knots), 0, atol=1e-12)


def test_higher_degrees_need_more_nodes():
    """x^5 has the second derivative 20 x^3, whose square integrates to 400 / 7."""
    found = roughness_matrix(lambda x: 20 * x[:, None] ** 3, [0.0, 1.0], degree=3)
    assert_allclose(found, [[400 / 7]])


@pytest.mark.parametrize("knots", [[0.0], [1.0, 0.0], [0.0, 0.0, 1.0]])
def test_bad_knots_are_refused(knots):
    with pytest.raises(ValueError, match="roughness_matrix: knots must be at least 2 increasing"):
        roughness_matrix(lambda x: x[:, None], knots)
