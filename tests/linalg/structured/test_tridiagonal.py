import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.linalg import toeplitz
from scipy.ndimage import spline_filter1d

from margin.core import FitError
from margin.linalg import filter_pole, recursive_filter, solve_tridiagonal

CUBIC, QUADRATIC = (2 / 3, 1 / 6), (3 / 4, 1 / 8)


def dense(n, d, c, boundary):
    K = d * np.eye(n)
    for i in range(n):
        for j in (i - 1, i + 1):
            if boundary == "periodic":
                K[i, j % n] += c
            elif boundary == "mirror" and n > 1:
                K[i, abs(j) if j < n else 2 * (n - 1) - j] += c
            elif boundary == "mirror":
                K[i, i] += c
            elif 0 <= j < n:
                K[i, j] += c
    return K


@given(n=st.integers(1, 30), seed=st.integers(0, 10_000))
@settings(deadline=None, max_examples=50)
def test_elimination_sweep_equals_the_dense_solve(n, seed):
    """linalg.10: Thomas sweep."""
    rng = np.random.default_rng(seed)
    lower, upper = rng.normal(size=n - 1), rng.normal(size=n - 1)
    diagonal = rng.normal(size=n) + 3 * rng.choice([-1.0, 1.0], size=n)
    b = rng.normal(size=(n, 2))
    A = np.diag(diagonal) + np.diag(lower, -1) + np.diag(upper, 1)
    kept = [v.copy() for v in (lower, diagonal, upper, b)]
    expected = np.linalg.solve(A, b)
    x = solve_tridiagonal(lower, diagonal, upper, b)
    assert_allclose(x, expected, rtol=1e-6, atol=1e-8 * np.abs(expected).max())
    assert_allclose(solve_tridiagonal(lower, diagonal, upper, b[:, 0]), x[:, 0])
    assert all(
        np.array_equal(*pair) for pair in zip(kept, (lower, diagonal, upper, b), strict=True)
    )


def test_zero_pivot_is_survived_by_exchanging_rows():
    assert_allclose(solve_tridiagonal([1.0], [0.0, 0.0], [1.0], [2.0, 3.0]), [3.0, 2.0])


@pytest.mark.parametrize("n", [1, 3])
def test_singular_system_is_refused(n):
    with pytest.raises(FitError, match="tridiagonal matrix must be regular, got zero pivot in row"):
        solve_tridiagonal(np.zeros(n - 1), np.zeros(n), np.zeros(n - 1), np.ones(n))


def test_wrong_lengths_are_refused():
    with pytest.raises(ValueError, match=r"lower diagonal must be of shape \(2,\)"):
        solve_tridiagonal([1.0], [1.0, 1.0, 1.0], [1.0, 1.0], np.ones(3))


def test_poles_of_the_b_splines():
    """linalg.10: sqrt(3) - 2 for the cubic and 2 sqrt(2) - 3 for the quadratic B-spline."""
    assert filter_pole(*CUBIC) == pytest.approx(np.sqrt(3) - 2, abs=1e-15)
    assert filter_pole(*QUADRATIC) == pytest.approx(2 * np.sqrt(2) - 3, abs=1e-15)
    assert filter_pole(1.0, 0.0) == 0.0
    for d, c in [(1.0, 0.499999), (-3.0, 1.0), (1e8, 1e-8)]:
        z = filter_pole(d, c)
        assert abs(z) < 1
        assert c * z**2 + d * z + c == pytest.approx(0, abs=1e-15 * abs(d))


@pytest.mark.parametrize("boundary", ["zero", "mirror", "periodic"])
@pytest.mark.parametrize(
    "coefficients", [CUBIC, QUADRATIC, (-1.0, 0.45), (1.0, 0.4999), (2.0, 0.0)]
)
@pytest.mark.parametrize("n", [1, 2, 3, 5, 40])
def test_two_recursive_filters_equal_the_dense_solve(boundary, coefficients, n):
    """linalg.10: causal then anti-causal pass, exact for each boundary."""
    y = np.random.default_rng(n).normal(size=(n, 3))
    expected = np.linalg.solve(dense(n, *coefficients, boundary), y)
    scale = np.abs(expected).max()
    assert_allclose(recursive_filter(y, *coefficients, boundary), expected, atol=1e-10 * scale)
    assert_allclose(
        recursive_filter(y[:, 0], *coefficients, boundary), expected[:, 0], atol=1e-10 * scale
    )


def test_filters_thomas_and_toeplitz_agree_on_a_long_signal():
    """linalg.10: three ways, one answer."""
    n, (d, c) = 2000, CUBIC
    y = np.random.default_rng(0).normal(size=n)
    swept = solve_tridiagonal(np.full(n - 1, c), np.full(n, d), np.full(n - 1, c), y)
    assert_allclose(recursive_filter(y, d, c), swept, atol=1e-13)
    K = toeplitz([d, c] + [0.0] * 98)
    assert_allclose(K @ recursive_filter(y[:100], d, c), y[:100], atol=1e-13)


def test_worked_pulse():
    x = recursive_filter([0, 0, 1, 0, 0], *CUBIC)
    assert_allclose(x, [3 / 26, -6 / 13, 45 / 26, -6 / 13, 3 / 26], atol=1e-15)


@pytest.mark.parametrize(("order", "coefficients"), [(2, QUADRATIC), (3, CUBIC)])
def test_mirror_boundary_is_the_spline_prefilter_of_scipy(order, coefficients):
    y = np.random.default_rng(1).normal(size=50)
    ours = recursive_filter(y, *coefficients, "mirror")
    assert_allclose(ours, spline_filter1d(y, order=order, mode="mirror"), atol=1e-12)


def test_unstable_filters_and_unknown_boundaries_are_refused():
    with pytest.raises(ValueError, match="more than twice the off-diagonal"):
        recursive_filter(np.ones(3), 1.0, 0.5)
    with pytest.raises(ValueError, match="more than twice"):
        filter_pole(np.nan, 0.0)
    with pytest.raises(
        ValueError, match="boundary must be 'zero', 'mirror' or 'periodic', got 'x'"
    ):
        recursive_filter(np.ones(3), 1.0, 0.2, "x")


def test_empty_signal():
    assert recursive_filter(np.empty(0), *CUBIC).shape == (0,)
    assert solve_tridiagonal([], [], [], []).shape == (0,)
