"""Abscissae too close for the equations of a spline."""

from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from margin.linear import SmoothingSpline
from margin.linear.curves._close_points import CloseGroups
from margin.linear.curves._curve_data import DistinctPoints, distinct_points


def exact_values(x, y, alpha):
    """Fitted values and slack by the same equations in exact arithmetic."""
    n, gap = len(x), [Fraction(float(b)) - Fraction(float(a)) for a, b in pairwise(x)]
    m, alpha = n - 2, Fraction(alpha)
    Q = [[Fraction(0)] * m for _ in range(n)]
    R = [[Fraction(0)] * m for _ in range(m)]
    for j in range(m):
        Q[j][j], Q[j + 2][j] = 1 / gap[j], 1 / gap[j + 1]
        Q[j + 1][j] = -Q[j][j] - Q[j + 2][j]
        R[j][j] = (gap[j] + gap[j + 1]) / 3
        if j + 1 < m:
            R[j][j + 1] = R[j + 1][j] = gap[j + 1] / 6
    Q, R = np.array(Q), np.array(R)
    inverse = inverted(R + alpha * (Q.T @ Q))
    rest = alpha * (Q @ inverse @ Q.T)
    values = [Fraction(float(v)) for v in y] - rest @ np.array([Fraction(float(v)) for v in y])
    return values.astype(float), float(np.trace(rest))


def inverted(A):
    n = len(A)
    M = np.concatenate([A, np.array([[Fraction(i == j) for j in range(n)] for i in range(n)])], 1)
    for i in range(n):
        M[i] = M[i] / M[i, i]
        for k in range(n):
            if k != i:
                M[k] = M[k] - M[k, i] * M[i]
    return M[:, n:]


@pytest.mark.parametrize("gap", [1e-5, 1e-7, 1e-9, 1e-12])
@pytest.mark.parametrize("alpha", [1e-15, 1e-12, 1e-9, 1e-6, 1e-2, 1.0, 100.0])
def test_close_abscissae_do_not_spoil_a_curve(gap, alpha):
    """All digits were lost: values of size one were wrong by 0.7."""
    rng = np.random.default_rng(0)
    x, y = np.sort(rng.uniform(-1, 1, 10)), rng.normal(size=10)
    x[1], x[4], x[7], x[8] = x[0] + gap, x[3] + gap, x[6] + gap, x[6] + 2 * gap
    values, slack = exact_values(x, y, alpha)
    model = SmoothingSpline(alpha=alpha).fit(x, y)
    np.testing.assert_allclose(model.predict(x), values, atol=1e-5)
    assert len(x) - model.dof_ == pytest.approx(slack, rel=1e-5)
    if alpha >= 1e-2:
        law = model.predict_dist(x)
        assert (np.sqrt(law.var) < 10).all()


def test_a_group_between_far_points_keeps_its_shape_where_the_penalty_lets_it():
    x = np.concatenate([[-1e7], np.linspace(0, 1, 50), [1e7]])
    data = distinct_points(x, np.sin(6 * x), None)
    groups = CloseGroups.of(data)
    assert groups.joined(data, 1e-6) is data
    assert len(groups.joined(data, 1e20).points) == 3


def test_only_what_is_close_beside_its_neighbours_becomes_one():
    even = distinct_points(np.linspace(0, 1, 5000), np.zeros(5000), None)
    assert CloseGroups.of(even).joined(even, 1e9) is even
    far = distinct_points(np.append(even.points, 1e6), np.zeros(5001), None)
    assert CloseGroups.of(far).joined(far, 1e9) is far  # at an end nothing is lost
    x, weight = np.array([-1.0, 0.0, 1e-9, 1.0]), np.array([1.0, 1.0, 3.0, 1.0])
    data = DistinctPoints(x, np.array([2.0, 1.0, 5.0, 3.0]), weight, 0.5)
    points, mean, total, ties = CloseGroups.of(data).joined(data, 1.0)
    np.testing.assert_allclose(points, [-1.0, 7.5e-10, 1.0])
    np.testing.assert_array_equal(mean, [2.0, 4.0, 3.0])
    np.testing.assert_array_equal(total, [1.0, 4.0, 1.0])
    assert ties == pytest.approx(0.5 + 1 * 9 + 3 * 1)
