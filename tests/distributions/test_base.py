import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import Distribution, MultivariateNormal, Normal, StudentT
from margin.distributions._base import coordinates, parameter, probabilities, shown, together

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


def test_coordinates_of_every_kind():
    assert coordinates("D", 1, 3).tolist() == [1]
    assert coordinates("D", -1, 3).tolist() == [2]
    assert coordinates("D", [2, 0], 3).tolist() == [2, 0]
    assert coordinates("D", slice(1, None), 3).tolist() == [1, 2]
    assert coordinates("D", [True, False, True], 3).tolist() == [0, 2]
    assert coordinates("D", [], 3).tolist() == []


@pytest.mark.parametrize(
    ("idx", "message"),
    [
        (3, "D: idx must be coordinates below 3, got 3"),
        ([0, 0], "D: idx must be distinct coordinates"),
        ([0, -3], "D: idx must be distinct coordinates"),
        ([0.5], "D: idx must be coordinates below 3"),
        ([[0, 1]], "D: idx must be distinct coordinates"),
    ],
)
def test_bad_coordinates_are_refused(idx, message):
    with pytest.raises(ValueError, match=message):
        coordinates("D", idx, 3)


def test_parameters_are_copied_checked_and_locked():
    given = np.array([1.0, 2.0])
    made = parameter("D", "scale", given)
    given[0] = 9.0
    assert made.tolist() == [1.0, 2.0]
    assert not made.flags.writeable
    for value, message in [
        ("a", "scale must be numbers, got 'a'"),
        (np.nan, "scale must be finite, got 'NaN'"),
        (np.inf, "scale must be finite, got 'infinity'"),
        (0.0, r"scale must be above 0, got 0\.0"),
    ]:
        with pytest.raises(ValueError, match=message):
            parameter("D", "scale", value, positive=True)


def test_parameters_that_do_not_fit_together_are_refused():
    with pytest.raises(ValueError, match=r"D: a and b must be of matching shapes, got '\(2,\) and"):
        together("D", a=np.ones(2), b=np.ones(3))


def test_levels_come_before_the_shape():
    assert probabilities("D", [0.1, 0.2], (5, 6)).shape == (2, 1, 1)


def test_long_parameters_are_shown_by_their_range():
    assert shown(np.arange(10.0)) == "0 … 9"
    assert shown(np.array(2.5)) == "2.5"
    assert shown(np.array([1.0, 0.25])) == "[1.  , 0.25]"
