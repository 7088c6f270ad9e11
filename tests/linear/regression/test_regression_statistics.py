"""The sums that regression needs of its rows: batches add up."""

from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.linear.regression._regression_statistics import RegressionStatistics


def sample(n=40, p=3, shift=0.0, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, p)) + shift, rng.normal(size=n) + shift, rng.random(n)


def assert_same(a, b, rtol=1e-12):
    for name in ("count", "x_mean", "y_mean", "xx", "xy", "yy"):
        assert_allclose(getattr(a, name), getattr(b, name), rtol=rtol, atol=1e-12, err_msg=name)


@pytest.mark.parametrize("centre", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_definitions(centre, weighted):
    X, y, s = sample()
    stats = RegressionStatistics.of(X, y, s if weighted else None, centre=centre)
    w = s if weighted else np.ones(40)
    C = X - np.average(X, axis=0, weights=w) * centre
    t = y - np.average(y, weights=w) * centre
    assert_allclose(stats.count, w.sum())
    assert_allclose(stats.xx, (C.T * w) @ C)
    assert_allclose(stats.xy, (C.T * w) @ t)
    assert_allclose(stats.yy, w @ t**2)
    assert stats.n_features == 3
    assert stats.centred is centre


@pytest.mark.parametrize("centre", [False, True])
@pytest.mark.parametrize("parts", [2, 5, 40])
def test_batches_in_any_order_add_up_to_the_whole(centre, parts):
    """linear.16: online and batch are one computation."""
    X, y, s = sample(shift=3.0)
    whole = RegressionStatistics.of(X, y, s, centre=centre)
    made = [
        RegressionStatistics.of(X[rows], y[rows], s[rows], centre=centre)
        for rows in np.array_split(np.arange(40), parts)
    ]
    for order in (made, made[::-1]):
        total = order[0]
        for part in order[1:]:
            total = total + part
        assert_same(total, whole)
    tree = made
    while len(tree) > 1:
        tree = [sum_of(tree[i : i + 2]) for i in range(0, len(tree), 2)]
    assert_same(tree[0], whole)


def sum_of(parts):
    return parts[0] if len(parts) == 1 else parts[0] + parts[1]


def test_merging_keeps_the_digits_of_data_far_from_the_origin():
    """Means of 1e8: the merged moments against rational arithmetic."""
    X, y, _ = sample(n=20, p=1, shift=1e8)
    total = RegressionStatistics.of(X[:7], y[:7], None, centre=True) + RegressionStatistics.of(
        X[7:], y[7:], None, centre=True
    )
    x, t = [Fraction(float(v)) for v in X[:, 0]], [Fraction(float(v)) for v in y]
    mx, mt = sum(x) / 20, sum(t) / 20
    assert_allclose(total.xx[0, 0], float(sum((v - mx) ** 2 for v in x)), rtol=1e-7)
    wanted = float(sum((a - mx) * (b - mt) for a, b in zip(x, t, strict=True)))
    assert_allclose(total.xy[0], wanted, rtol=1e-6)
    assert_allclose(total.yy, float(sum((v - mt) ** 2 for v in t)), rtol=1e-7)


def test_constant_columns_have_no_moments():
    X = np.column_stack([np.full(30, 0.1), np.arange(30.0)])
    stats = RegressionStatistics.of(X, np.full(30, 1 / 3), None, centre=True)
    assert stats.xx[0, 0] == 0.0
    assert stats.yy == 0.0
    assert_array_equal(stats.xy, [0.0, 0.0])


def test_float32_rows_are_summed_in_double():
    X, y, s = sample()
    single = RegressionStatistics.of(X.astype(np.float32), y, s, centre=True)
    double = RegressionStatistics.of(X.astype(np.float32).astype(float), y, s, centre=True)
    assert single.xx.dtype == np.float64
    assert_same(single, double)


def test_statistics_that_do_not_belong_together_are_refused():
    X, y, _ = sample()
    a = RegressionStatistics.of(X, y, None, centre=True)
    for other in (
        RegressionStatistics.of(X[:, :2], y, None, centre=True),
        RegressionStatistics.of(X, y, None, centre=False),
    ):
        with pytest.raises(ValueError, match="must have the same features and centring"):
            a + other
