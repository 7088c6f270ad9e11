import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.stats import chi2

from margin.causal import randomise


def test_accepted_assignments_are_balanced():
    """causal.16: the distance is Mahalanobis', and the share accepted is the one asked for"""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 3)) @ rng.normal(size=(3, 3))
    plan = randomise(X, acceptance=0.05, random_state=1)
    gap = X[plan.treated].mean(axis=0) - X[~plan.treated].mean(axis=0)
    M = gap @ np.linalg.solve(np.cov(X.T), gap) / (1 / 30 + 1 / 30)
    assert_allclose(plan.distance, M)
    assert M <= plan.threshold == chi2.ppf(0.05, 3)
    draws = [randomise(X, acceptance=0.2, random_state=s).n_draws for s in range(200)]
    assert 3.5 < np.mean(draws) < 7


def test_effects_have_less_variance_and_no_bias():
    """causal.16: with and without drawing again"""
    rng = np.random.default_rng(1)
    X = rng.standard_normal((40, 2))
    y0 = X @ [2.0, -1.0] + 0.5 * rng.standard_normal(40)

    def estimates(acceptance):
        found = []
        for seed in range(150):
            t = randomise(X, acceptance=acceptance, random_state=seed).treated
            found.append((y0[t] + 1).mean() - y0[~t].mean())
        return np.array(found)

    plain, again = estimates(1.0), estimates(0.02)
    assert again.var() < 0.4 * plain.var()
    for found in (plain, again):
        assert abs(found.mean() - 1) < 4 * found.std() / np.sqrt(150)


def test_degenerate_covariates_and_refusals():
    assert randomise(np.ones((6, 1)), random_state=0).treated.sum() == 3
    plan = randomise(np.sqrt(np.arange(9.0)), 2, acceptance=1e-12, max_draws=50, random_state=0)
    assert plan.n_draws == 50
    assert plan.treated.sum() == 2
    for bad in ({"n_treated": 9}, {"acceptance": 0.0}, {"max_draws": 0}):
        with pytest.raises(ValueError, match="randomise: "):
            randomise(np.arange(9.0), **bad)
    with pytest.raises(ValueError, match="covariates must be finite"):
        randomise([np.nan, 1.0])
