import numpy as np
import pytest
from numpy.testing import assert_allclose
from worlds import COVARIATES, study

from margin.causal import AverageEffect
from margin.causal.methods._effect_data import effect_data
from margin.causal.methods._intervals import (
    analytic,
    confidence,
    multiplied,
    poisson_sums,
    refitted,
    replicates,
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
    codes = np.repeat(np.arange(40), 3)
    many = analytic(copies, np.ones(120), 0.95, codes)
    assert_allclose(many.std_error, once.std_error * np.sqrt(40 / 39))
    drawn = multiplied(copies, np.ones(120), 0.95, 4000, rng, codes)
    assert_allclose(drawn.std_error, once.std_error, rtol=0.06)


def test_levels_and_replicates():
    assert confidence("A", np.float32(0.5)) == 0.5
    assert replicates("A", np.int64(7)) == 7
    for bad in (0, 1, 2.0, "a", True, np.nan):
        with pytest.raises(ValueError, match="A: level must be a number between 0 and 1"):
            confidence("A", bad)
    for bad in (-1, 1, 2.5, "a", True):
        with pytest.raises(ValueError, match="A: n_bootstrap must be 0, or an integer of at"):
            replicates("A", bad)


def test_draws_without_a_level_are_left_out():
    """A stratum with one treated row loses it in every third draw; two such are too many."""
    frame = {"z": np.repeat([0, 1], [30, 10]), "t": np.r_[np.arange(30) % 2, 1, np.zeros(9)]}
    frame["y"] = frame["z"] + frame["t"] + np.random.default_rng(0).standard_normal(40)
    model = AverageEffect(None, "t", "y", ["z"], "stratification", n_bootstrap=100)
    model.set_params(bootstrap="refit", random_state=0).fit(frame)
    assert 50 < len(model.bootstrap_) < 80
    rare = {**frame, "z": np.repeat(np.arange(4), 10), "t": np.tile(np.r_[1, np.zeros(9)], 4)}
    with pytest.raises(ValueError, match="n_bootstrap must be 0 for rows as few as these"):
        model.fit(rare)
