import numpy as np
import pytest

from margin.distributions import (
    ColumnMoments,
    Moments,
    MultivariateNormal,
    Normal,
    NormalInverseGamma,
    NormalInverseWishart,
    Poisson,
    StudentT,
    StudentVector,
)
from margin.distributions._requirements import numbers

EVERY = [
    Normal([0.0, 1.0], 2.0),
    MultivariateNormal([0.0, 1.0], np.eye(2)),
    Poisson([1.0, 2.0]),
    StudentT(3.0, [0.0, 1.0]),
    StudentVector(3.0, np.zeros(2), np.eye(2)),
]
ROWS = np.random.default_rng(0).normal(size=(20, 2))


@pytest.mark.parametrize("distribution", EVERY, ids=lambda d: type(d).__name__)
def test_a_seed_is_as_good_as_its_generator(distribution):
    drawn = distribution.sample(3, rng=7)
    np.testing.assert_array_equal(drawn, distribution.sample(3, np.random.default_rng(7)))
    assert distribution.sample(0, rng=7).shape == (0, 2)
    assert distribution.sample(np.int64(2), None).shape == (2, 2)


@pytest.mark.parametrize("distribution", EVERY, ids=lambda d: type(d).__name__)
@pytest.mark.parametrize(
    ("n", "rng", "words"),
    [
        (3, "dice", "rng must be a numpy Generator, an integer seed or None, got 'dice'"),
        (3, True, "rng must be a numpy Generator, an integer seed or None, got True"),
        (-1, 0, "n must be an integer of at least 0, got -1"),
        (2.5, 0, "n must be an integer of at least 0, got 2.5"),
    ],
)
def test_bad_draws_are_refused_by_name(distribution, n, rng, words):
    with pytest.raises(ValueError, match=f"^{type(distribution).__name__}: {words}$"):
        distribution.sample(n, rng)


def test_rows_are_summed_up_before_a_fit():
    assert repr(Normal.fit([1, 2, 3])) == repr(Normal.fit(Normal.statistics([1, 2, 3])))
    np.testing.assert_array_equal(Normal.fit(ROWS).mean, Normal.fit(ColumnMoments.of(ROWS)).mean)
    direct, summed = MultivariateNormal.fit(ROWS), MultivariateNormal.fit(Moments.of(ROWS))
    np.testing.assert_array_equal(direct.covariance, summed.covariance)


@pytest.mark.parametrize(
    ("belief", "kind"),
    [
        (NormalInverseGamma(np.zeros(2), 1.0, 2.0, 1.0), ColumnMoments),
        (NormalInverseWishart(np.zeros(2), 1.0, np.eye(2), 4.0), Moments),
    ],
    ids=["gamma", "wishart"],
)
def test_rows_are_summed_up_before_a_posterior(belief, kind):
    stats = kind.of(ROWS)
    assert repr(belief.posterior(ROWS)) == repr(belief.posterior(stats))
    np.testing.assert_array_equal(belief.log_evidence(ROWS), belief.log_evidence(stats))
    with pytest.raises(ValueError, match=f"stats must be {kind.__name__} or rows of numbers"):
        belief.posterior("rows")


@pytest.mark.parametrize(
    ("family", "stats", "words"),
    [
        (Normal, 3.0, "Normal: stats must be ColumnMoments or rows of numbers, got 3.0"),
        (Normal, ["a"], r"Normal: stats must be ColumnMoments or rows of numbers, got \['a'\]"),
        (Normal, Moments.of(ROWS), "Normal: stats must be ColumnMoments or rows of numbers"),
        (MultivariateNormal, None, "MultivariateNormal: stats must be Moments or rows of numbers"),
        (MultivariateNormal, [1.0, 2.0], "Moments: X must be two-dimensional"),
    ],
)
def test_what_is_no_data_is_refused_by_name(family, stats, words):
    with pytest.raises(ValueError, match=words):
        family.fit(stats)


def test_words_where_numbers_are_needed():
    with pytest.raises(ValueError, match=r"ColumnMoments: X must be numbers, got \['a'\]"):
        Normal.statistics(["a"])
    np.testing.assert_array_equal(numbers("X", "x", [1, 2]), [1.0, 2.0])
