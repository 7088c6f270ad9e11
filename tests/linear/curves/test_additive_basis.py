from itertools import pairwise

import numpy as np
import pytest

from margin.linear.curves._additive_basis import SplineBasis

X = np.sort(np.random.default_rng(0).gamma(2.0, size=80))
ONES = np.ones(80)


def second_derivatives(basis, u, step):
    """By differences, which are exact within the cubics between two knots."""
    left, middle, right = (
        basis.columns(basis.low + basis.width * (u + shift)) for shift in (-step, 0.0, step)
    )
    return (left - 2 * middle + right) / step**2


def test_bending_columns_are_orthonormal_in_energy():
    """linear.21: the integral of products of second derivatives is the identity."""
    basis = SplineBasis.of(X, ONES, 5)
    assert basis.n_columns == 6
    energy = np.zeros((6, 6))
    for a, b in pairwise(np.unique(basis.knots)):
        # Second derivatives are straight lines here, so Simpson's rule is exact for products.
        early, late = second_derivatives(
            basis, np.array([0.75 * a + 0.25 * b, 0.25 * a + 0.75 * b]), 0.1 * (b - a)
        )
        first, middle, last = 1.5 * early - 0.5 * late, (early + late) / 2, 1.5 * late - 0.5 * early
        for value, share in ((first, 1), (middle, 4), (last, 1)):
            energy += share * (b - a) / 6 * np.outer(value, value)
    np.testing.assert_allclose(energy, np.diag([0, 1, 1, 1, 1, 1]), atol=1e-6)


def test_columns_are_centred_and_the_line_is_standardised():
    weight = np.random.default_rng(1).uniform(size=80)
    columns = SplineBasis.of(X, weight, 7).columns(X)
    np.testing.assert_allclose(weight @ columns, 0, atol=1e-10)
    assert weight @ columns[:, 0] ** 2 / weight.sum() == pytest.approx(1.0)


def test_straight_lines_beyond_the_data():
    basis = SplineBasis.of(X, ONES, 6)
    for end, way in ((X[0], -1.0), (X[-1], 1.0)):
        far = basis.columns(end + way * np.array([0.0, 1e-7, 1.0, 2.0, 3.0]))
        np.testing.assert_allclose(far[4] - far[3], far[3] - far[2], rtol=1e-9, atol=1e-12)
        slope = (far[1] - far[0]) / 1e-7
        np.testing.assert_allclose(far[3] - far[2], slope, rtol=1e-4, atol=1e-6)


def test_columns_do_not_depend_on_units():
    one, two = SplineBasis.of(X, ONES, 6), SplineBasis.of(1e6 * X - 3e7, ONES, 6)
    np.testing.assert_allclose(
        np.abs(two.columns(1e6 * X - 3e7)), np.abs(one.columns(X)), rtol=1e-5, atol=1e-7
    )


def test_few_distinct_values():
    for values, columns in (([3.0], 0), ([1.0, 2.0], 1), ([1.0, 2.0, 5.0], 4)):
        x = np.resize(values, 12)
        basis = SplineBasis.of(x, np.ones(12), 20)
        assert basis.n_columns == columns
        assert basis.columns(x).shape == (12, columns)
    weight = np.r_[np.ones(40), np.zeros(40)]
    np.testing.assert_array_equal(
        SplineBasis.of(X, weight, 6).knots, SplineBasis.of(X[:40], ONES[:40], 6).knots
    )
