import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import wilcoxon
from worlds import COVARIATES, study

from margin.causal import AverageEffect, Matching, rosenbaum_bounds


def test_without_bias_it_is_the_signed_rank_test():
    d = np.random.default_rng(0).normal(0.3, 1, 40)
    p = wilcoxon(d, alternative="greater", method="asymptotic", correction=False).pvalue
    assert_allclose(rosenbaum_bounds(d, [1.0]).upper, p)


def test_bounds_hold_for_biased_signs():
    """With signs drawn at the largest allowed odds the upper p-value is uniform or larger."""
    rng, gamma, low = np.random.default_rng(1), 2.0, 0
    for _ in range(400):
        size = rng.random(60) + 0.1
        sign = np.where(rng.random(60) < gamma / (1 + gamma), 1, -1)
        low += rosenbaum_bounds(size * sign, [gamma]).upper[0] <= 0.05
    assert low <= 400 * 0.05 + 4 * np.sqrt(400 * 0.05 * 0.95)
    bounds = rosenbaum_bounds(rng.normal(0.5, 1, 100), [1, 1.5, 2, 3, 5])
    assert (np.diff(bounds.upper) > 0).all()
    assert (bounds.lower <= bounds.upper).all()
    assert 1 < bounds.tipping_point() < 5


def test_what_is_refused():
    for given in (([0.0],), ([np.nan],), ([1.0], [0.5])):
        with pytest.raises(ValueError, match="rosenbaum_bounds: "):
            rosenbaum_bounds(*given)


def test_of_a_fitted_effect_by_pairs():
    """The differences of the pairs that a model matched, or a reason why there are none."""
    frame = study(300, np.random.default_rng(0), effect=1.0)
    pairs = Matching(replacement=False, caliper=0.05)
    model = AverageEffect(None, "t", "y", COVARIATES, pairs).fit(frame)
    d = frame["y"][model.pairs_[:, 0]] - frame["y"][model.pairs_[:, 1]]
    assert (frame["t"][model.pairs_] == [1, 0]).all()
    assert_allclose(d.mean(), model.effect_)
    assert_allclose(rosenbaum_bounds(model).upper, rosenbaum_bounds(d).upper)
    assert rosenbaum_bounds(model).tipping_point() >= 1.5
    with pytest.raises(ValueError, match="differences must be of pairs matched without"):
        rosenbaum_bounds(AverageEffect(None, "t", "y", COVARIATES, "matching").fit(frame))
    for given in (["a"], [None, 1.0], None):
        with pytest.raises(ValueError, match="differences must be"):
            rosenbaum_bounds(given)
    with pytest.raises(ValueError, match="gamma must be numbers"):
        rosenbaum_bounds([1.0], gamma=["a"])
