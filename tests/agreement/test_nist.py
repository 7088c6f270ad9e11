"""Least squares against the certified values of NIST's Statistical Reference Datasets.

The digits asked for are those that 64-bit numbers allow: the coefficients of Filip (ten powers) and
of the noisy Wampler sets are as sensitive to the last bit of the data as their digits show.
"""

import numpy as np
import pytest
from nist_tables import SETS

from margin.linear import LinearRegression, Ridge

DIGITS = {
    "Norris": (11, 12),
    "Pontius": (10, 11),
    "NoInt1": (13, 13),
    "NoInt2": (13, 13),
    "Filip": (6, 6),
    "Longley": (10, 11),
    "Wampler3": (9, 12),
    "Wampler4": (6.5, 12),
    "Wampler5": (5, 12),
}


def agreeing(found, certified):
    """Least number of agreeing digits: minus the logarithm of the relative error."""
    error = np.abs(np.asarray(found) - certified) / np.abs(certified)
    return float(-np.log10(max(float(np.max(error)), 1e-16)))


def parameters(model, known):
    return np.append(model.intercept_, model.coef_) if known.intercept else model.coef_


@pytest.mark.parametrize("name", DIGITS)
def test_certified_coefficients_and_their_errors(name):
    known, (coef_digits, error_digits) = SETS[name], DIGITS[name]
    model = LinearRegression(fit_intercept=known.intercept).fit(known.X, known.y)
    table = model.summary(known.X, known.y)
    assert agreeing(parameters(model, known), known.coef) >= coef_digits
    assert agreeing(table.std_error, known.error) >= error_digits
    assert agreeing(table.sigma2**0.5, known.sigma) >= error_digits
    assert agreeing(table.r2, known.r2) >= min(error_digits, 10)


@pytest.mark.parametrize(("name", "digits"), [("Wampler1", 6), ("Wampler2", 9)])
def test_certified_polynomials_without_noise(name, digits):
    known = SETS[name]
    model = LinearRegression().fit(known.X, known.y)
    table = model.summary(known.X, known.y)
    assert agreeing(parameters(model, known), known.coef) >= digits
    assert table.sigma2**0.5 < 1e-12 * np.abs(known.y).max()
    assert table.r2 == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("name", SETS)
def test_no_penalty_is_no_ridge(name):
    """The same coefficients from the penalised model at strength zero."""
    known = SETS[name]
    plain = LinearRegression(fit_intercept=known.intercept).fit(known.X, known.y)
    ridge = Ridge(0.0, fit_intercept=known.intercept).fit(known.X, known.y)
    np.testing.assert_allclose(ridge.coef_, plain.coef_, rtol=1e-9)


@pytest.mark.parametrize(("name", "digits"), [("Norris", 11), ("Longley", 10), ("Wampler3", 6)])
def test_equal_weights_change_nothing(name, digits):
    """Certified coefficients but for the rounding of weighted sums."""
    known = SETS[name]
    model = LinearRegression().fit(known.X, known.y, sample_weight=np.full(len(known.y), 2.0))
    assert agreeing(parameters(model, known), known.coef) >= digits
