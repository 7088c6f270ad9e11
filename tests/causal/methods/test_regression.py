import numpy as np
import pytest
from numpy.testing import assert_allclose
from worlds import COVARIATES, study

from margin.causal.methods._effect_data import effect_data
from margin.causal.methods._nuisance import Nuisance
from margin.causal.methods._regression import Regression


def test_slopes_are_coefficients_of_least_squares():
    rng = np.random.default_rng(0)
    x, a = rng.normal(size=(2, 200))
    t, y = x + rng.normal(size=200), rng.normal(size=200)
    data = effect_data("A", {"x": x, "a": a, "t": t, "y": y}, ("t", "a"), "y", ("x",))
    D = np.column_stack([np.ones(200), x, t, a])
    coef = np.linalg.lstsq(D, y, rcond=None)[0]
    scores = Regression().scores(data, Nuisance())
    assert_allclose(scores.values, coef[2:])
    bread = np.linalg.inv(D.T @ D)
    robust = bread @ (D.T * (y - D @ coef) ** 2) @ D @ bread
    assert_allclose((scores.influence**2).sum(axis=0) / 200**2, np.diag(robust)[2:])


def test_a_treatment_that_covariates_determine_is_refused():
    x = np.linspace(0, 1, 50)
    data = effect_data("A", {"x": x, "t": 3 * x, "y": x}, ("t",), "y", ("x",))
    with pytest.raises(ValueError, match="treatment must be not a function of the covariates"):
        Regression().scores(data, Nuisance())


def test_no_confounding_left():
    data = effect_data("A", study(4000, np.random.default_rng(2)), ("t",), "y", tuple(COVARIATES))
    scores = Regression().scores(data, Nuisance())
    error = np.sqrt((scores.influence**2).sum()) / data.n
    assert abs(scores.values[0] - 2) < 4 * error < 0.2
