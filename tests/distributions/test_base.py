import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import Distribution, MultivariateNormal, Normal, StudentT

FAMILIES = [
    Normal([0.0, 1.0, -2.0], [1.0, 2.0, 0.5]),
    StudentT([3.0, 5.0, 9.0], [0.0, 1.0, 2.0], 2.0),
    MultivariateNormal(np.arange(6.0).reshape(2, 3), np.diag([1.0, 2.0, 3.0])),
]


@pytest.mark.parametrize("dist", FAMILIES, ids=lambda d: type(d).__name__)
class TestContract:
    def test_mean_and_variance_have_one_shape_and_match_samples(self, dist):
        draws = dist.sample(200_000, np.random.default_rng(0))
        assert draws.shape[1:] == dist.mean.shape == dist.var.shape
        error = np.sqrt(dist.var / 200_000)
        assert np.all(np.abs(draws.mean(axis=0) - dist.mean) < 5 * error)
        assert_allclose(draws.var(axis=0), dist.var, rtol=0.3)

    def test_quantile_inverts_the_distribution_function(self, dist):
        q = np.array([[0.01, 0.3], [0.5, 0.999]])
        x = dist.quantile(q)
        assert x.shape == q.shape + dist.mean.shape
        assert_allclose(dist.cdf(x), np.broadcast_to(q[(...,) + (None,) * dist.mean.ndim], x.shape))

    def test_interval_holds_its_level(self, dist):
        low, high = dist.interval(0.8)
        assert_allclose(dist.cdf(high) - dist.cdf(low), 0.8)
        assert_allclose(dist.cdf(low), 0.1)
        for level in (0.0, 1.0, 2.0):
            with pytest.raises(ValueError, match=r"level must be a number between 0 and 1, both"):
                dist.interval(level)

    def test_same_seed_same_draws_and_zero_draws(self, dist):
        one, two = (dist.sample(5, np.random.default_rng(3)) for _ in range(2))
        assert np.array_equal(one, two)
        assert dist.sample(0, np.random.default_rng(3)).shape == (0, *dist.mean.shape)

    def test_unobserved_values_add_nothing(self, dist):
        assert np.all(dist.log_prob(np.full(dist.mean.shape, np.nan)) == 0)

    def test_frozen_down_to_the_arrays(self, dist):
        with pytest.raises(AttributeError):
            dist.mean = 1.0
        stored = dist.loc if isinstance(dist, StudentT) else dist.mean
        with pytest.raises(ValueError, match="read-only"):
            stored[0] = 7.0

    def test_levels_outside_the_unit_interval_are_refused(self, dist):
        for q in (-0.1, 1.1, np.nan):
            with pytest.raises(ValueError, match="q must be between 0 and 1"):
                dist.quantile(q)

    def test_infinitely_far_out_the_density_is_zero_without_a_warning(self, dist):
        for x in (np.inf, -np.inf):
            assert np.all(dist.log_prob(np.full(dist.mean.shape, x)) == -np.inf)


def test_abstract_classes_cannot_be_made():
    with pytest.raises(TypeError, match="abstract"):
        Distribution()
