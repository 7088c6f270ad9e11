"""What estimators of latent normal variables share."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.decomposition import FactorAnalysis, ProbabilisticPCA

RNG = np.random.default_rng(0)
X = RNG.normal(size=(150, 2)) @ RNG.normal(size=(2, 5)) + 0.5 * RNG.normal(size=(150, 5))
GAPS = X.copy()
GAPS[RNG.random(X.shape) < 0.2] = np.nan


@pytest.mark.parametrize("model", [ProbabilisticPCA(n_components=2), FactorAnalysis(2)])
def test_posterior_and_transform_agree(model):
    """decomposition.06, decomposition.09: posterior of the latent variables, with NaN."""
    model.fit(GAPS)
    mean, covariance = model.posterior(GAPS)
    assert_allclose(model.transform(GAPS), mean)
    assert covariance.shape == (150, 2, 2)
    assert (np.linalg.eigvalsh(covariance) > 0).all()
    full, shared = model.posterior(X)
    assert_allclose(shared[0], shared[7])
    assert_allclose(model.transform(X), full)


@pytest.mark.parametrize("model", [ProbabilisticPCA(n_components=2), FactorAnalysis(2)])
def test_filling_beats_the_mean(model):
    """decomposition.05: gaps are filled from what the row shows, observed entries untouched."""
    filled = model.fit(GAPS).impute(GAPS)
    holes = np.isnan(GAPS)
    assert_allclose(filled[~holes], X[~holes])
    error = np.mean((filled - X)[holes] ** 2)
    assert error < 0.6 * np.mean((np.nanmean(GAPS, axis=0) - X)[holes] ** 2)


def test_samples_and_errors():
    model = FactorAnalysis(2).fit(X)
    drawn = model.sample(100_000, random_state=0)
    assert_allclose(np.cov(drawn.T), model.get_covariance(), atol=0.15)
    assert_allclose(model.sample(3, random_state=1), model.sample(3, random_state=1))
    with pytest.raises(ValueError, match="FactorAnalysis: n_samples must be"):
        model.sample(0)
    with pytest.raises(ValueError, match="FactorAnalysis: X must be of 2 columns"):
        model.inverse_transform(np.ones((1, 3)))


def test_an_empty_row_says_nothing():
    model = ProbabilisticPCA(n_components=2).fit(GAPS)
    nothing = np.full((1, 5), np.nan)
    assert_allclose(model.transform(nothing), 0)
    assert_allclose(model.score_samples(nothing), 0, atol=1e-12)
    assert_allclose(model.impute(nothing)[0], model.mean_)
