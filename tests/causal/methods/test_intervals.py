import numpy as np
from numpy.testing import assert_allclose
from worlds import COVARIATES, study

from margin.causal.methods._effect_data import effect_data
from margin.causal.methods._intervals import (
    analytic,
    cluster_codes,
    multiplied,
    poisson_sums,
    refitted,
)
from margin.causal.methods._nuisance import Nuisance
from margin.causal.methods._regression import Regression
from margin.causal.methods._scores import Scores


def test_three_kinds_agree():
    frame = study(500, np.random.default_rng(0))
    data = effect_data("A", frame, ("t",), "y", tuple(COVARIATES))
    scores, rng = Regression().scores(data, Nuisance()), np.random.default_rng(0)
    one = analytic(scores, data.weight, 0.95)
    two = multiplied(scores, data.weight, 0.95, 4000, rng)
    three = refitted(Regression(), data, Nuisance(), 0.95, 300, rng)
    assert_allclose(two.std_error, one.std_error, rtol=0.06)
    assert_allclose(three.std_error, one.std_error, rtol=0.15)
    assert_allclose(two.interval, one.interval, atol=0.03)


def test_poisson_sums_have_the_moments_of_the_bootstrap():
    rows = np.random.default_rng(0).standard_normal((50, 2))
    sums = poisson_sums(rows, 20_000, np.random.default_rng(1))
    assert_allclose(sums.mean(axis=0), 0, atol=4 * 7 / np.sqrt(20_000))
    assert_allclose(np.cov(sums.T), rows.T @ rows, atol=2.5)


def test_clusters_of_copies_count_once():
    rng = np.random.default_rng(0)
    influence = rng.standard_normal((40, 1))
    influence -= influence.mean()
    once = analytic(Scores(("a",), np.zeros(1), influence), np.ones(40), 0.95)
    copies = Scores(("a",), np.zeros(1), np.repeat(influence, 3, axis=0))
    codes = cluster_codes(np.repeat(np.arange(40), 3))
    many = analytic(copies, np.ones(120), 0.95, codes)
    assert_allclose(many.std_error, once.std_error * np.sqrt(40 / 39))
    drawn = multiplied(copies, np.ones(120), 0.95, 4000, rng, codes)
    assert_allclose(drawn.std_error, once.std_error, rtol=0.06)
