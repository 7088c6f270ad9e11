import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.linalg import toeplitz

from margin.core import FitError
from margin.linalg import levinson_durbin


def autocovariance(v, lags):
    v = v - v.mean()
    return np.array([v[: len(v) - k] @ v[k:] for k in range(lags + 1)]) / len(v)


@given(order=st.integers(1, 12), seed=st.integers(0, 10_000))
@settings(deadline=None, max_examples=50)
def test_recursion_solves_the_dense_equations_of_every_order(order, seed):
    """linalg.13: coefficients, reflections and errors against dense Toeplitz solves."""
    r = autocovariance(np.random.default_rng(seed).normal(size=100).cumsum(), order)
    fit = levinson_durbin(r)
    for m in range(1, order + 1):
        dense = np.linalg.solve(toeplitz(r[:m]), r[1 : m + 1])
        shorter = levinson_durbin(r, m)
        assert_allclose(shorter.coef, dense, rtol=1e-6, atol=1e-8)
        assert fit.reflection[m - 1] == pytest.approx(dense[-1], rel=1e-6, abs=1e-8)
        assert fit.errors[m] == pytest.approx(r[0] - dense @ r[1 : m + 1], rel=1e-6)
    assert np.all(np.abs(fit.reflection) < 1)
    assert np.max(np.diff(fit.errors)) <= 0
    log_det = np.linalg.slogdet(toeplitz(r))[1]
    assert np.sum(np.log(fit.errors)) == pytest.approx(log_det, abs=1e-6)


def test_autoregression_gives_back_its_coefficients():
    """linalg.13: AR(2) with a = (0.5, 0.3): r1 = a1/(1-a2), r2 = a1 r1 + a2."""
    r = [1.0, 0.5 / 0.7]
    for _ in range(4):
        r.append(0.5 * r[-1] + 0.3 * r[-2])
    fit = levinson_durbin(r)
    assert_allclose(fit.coef, [0.5, 0.3, 0, 0, 0], atol=1e-14)
    assert_allclose(fit.errors[2:], fit.errors[2], rtol=1e-13)


def test_stable_model_has_its_roots_outside_the_unit_circle():
    v = np.random.default_rng(5).normal(size=200).cumsum()
    fit = levinson_durbin(autocovariance(v, 6))
    roots = np.roots(np.r_[1.0, -fit.coef])
    assert np.max(np.abs(roots)) < 1


def test_order_zero():
    fit = levinson_durbin([2.0, 1.0], order=0)
    assert fit.coef.shape == (0,)
    assert_allclose(fit.errors, [2.0])


@pytest.mark.parametrize("r", [[1.0, 1.0, 1.0], [1.0, 2.0], [0.0, 0.0], [-1.0, 0.0], [1.0, -1.0]])
def test_indefinite_toeplitz_matrix_is_refused(r):
    with pytest.raises(FitError, match="positive-definite Toeplitz matrix, got prediction error"):
        levinson_durbin(r)


@pytest.mark.parametrize("r", [[], [1.0, np.nan], [[1.0]]])
def test_bad_input_is_refused(r):
    with pytest.raises(ValueError, match="autocovariance must be a finite sequence"):
        levinson_durbin(r)


def test_order_beyond_the_lags_is_refused():
    with pytest.raises(ValueError, match="order must be between 0 and 1, got 2"):
        levinson_durbin([1.0, 0.5], order=2)
