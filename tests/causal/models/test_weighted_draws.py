import numpy as np
from numpy.testing import assert_allclose
from scipy.stats import norm

from margin.causal import WeightedDraws
from margin.causal.models._weighted_draws import noise_log_density


def test_rows_are_answers_of_their_own():
    rng = np.random.default_rng(0)
    draws, weights = rng.random((3, 50, 2)), rng.dirichlet(np.ones(50), 3)
    told = WeightedDraws(("a", "b"), draws, weights)
    for i in range(3):
        one = WeightedDraws(("a", "b"), draws[i], weights[i])
        mean = np.average(draws[i], axis=0, weights=weights[i])
        assert_allclose(one.mean, mean)
        assert_allclose(told.mean[i], mean)
        assert_allclose(told.var[i], np.average((draws[i] - mean) ** 2, axis=0, weights=weights[i]))
        assert_allclose(told.effective_draws[i], one.effective_draws)
    assert_allclose(told.first().mean, told.mean[0])


def test_density_of_noise_within_and_beyond_what_was_seen():
    residuals = norm.ppf((np.arange(5000) + 0.5) / 5000)
    near = np.linspace(-2, 2, 9)
    assert_allclose(noise_log_density(residuals, near), norm.logpdf(near), atol=0.15)
    far = noise_log_density(residuals, np.array([10.0, 1e3, 1e6, -1e6]))
    assert (np.diff(far[:3]) < 0).all()
    assert far[3] < -1e9
    assert np.isfinite(noise_log_density(np.zeros(5), np.array([0.0, 1.0]))).all()
