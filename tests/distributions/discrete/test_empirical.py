"""The distribution of observed values (distributions.17)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats

from margin.distributions import Empirical
from margin.testing import DistributionContract


class TestContract(DistributionContract):
    """distributions.17: everything a distribution promises."""

    def make(self):
        rng = np.random.default_rng(0)
        return [
            Empirical([3.0]),
            Empirical([2.0, -1.0, 2.0, 5.0], [1.0, 2.0, 0.0, 4.0]),
            Empirical(rng.normal(size=(3, 7)).round(1), rng.uniform(size=7)),
        ]

    def support(self, distribution):
        return np.unique(distribution.atoms)


def test_repeated_values_add_up_and_weight_zero_is_absent():
    dist = Empirical([1.0, 1.0, 4.0, 9.0], [1.0, 2.0, 3.0, 0.0])
    assert_allclose(np.exp(dist.log_prob([1.0, 4.0, 9.0, 2.0])), [0.5, 0.5, 0.0, 0.0])
    assert_array_equal(dist.quantile([0.0, 0.5, 0.51, 1.0]), [1.0, 1.0, 4.0, 4.0])


def test_moments_are_those_of_the_rows():
    rows = np.random.default_rng(1).normal(size=(5, 40))
    dist = Empirical(rows)
    assert_allclose(dist.mean, rows.mean(axis=1))
    assert_allclose(dist.var, rows.var(axis=1))


def test_equal_weights_reach_every_level_in_spite_of_rounding():
    for n in (3, 7, 10, 49, 1000):
        levels = np.arange(1, n + 1) / n
        assert_array_equal(Empirical(np.arange(n)).quantile(levels), np.arange(n))


def test_order_of_the_atoms_does_not_matter():
    rng = np.random.default_rng(2)
    atoms, weight = rng.normal(size=20), rng.uniform(size=20)
    order = rng.permutation(20)
    one, two = Empirical(atoms, weight), Empirical(atoms[order], weight[order])
    assert_allclose(one.cumulative, two.cumulative)
    assert_array_equal(one.atoms, two.atoms)


@pytest.mark.parametrize(
    ("atoms", "weight", "text"),
    [
        ([], None, "Empirical: atoms must be of at least one value each, got (0,)"),
        ([1.0], [-1.0], "Empirical: weight must be at least 0 everywhere, got -1.0"),
        (
            [[1.0], [2.0]],
            [[1.0], [0.0]],
            "Empirical: weight must be above 0 for some atom of each distribution, got 0.0",
        ),
        (
            [1.0, 2.0],
            [1.0, 2.0, 3.0],
            "Empirical: weight must be of a shape that fits the atoms (2,), got (3,)",
        ),
        ([np.nan], None, "Empirical: atoms must be finite, got 'NaN'"),
    ],
)
def test_refusals(atoms, weight, text):
    with pytest.raises(ValueError, match="Empirical") as caught:
        Empirical(atoms, weight)
    assert str(caught.value) == text


def test_higher_moments_entropy_and_mode():
    """distributions.15, distributions.20: against SciPy; equal atoms count together."""
    x = np.array([1.0, 2.0, 2.0, 7.0])
    law = Empirical(x)
    assert law.mode == 2.0
    assert_allclose(law.skewness, stats.skew(x))
    assert_allclose(law.kurtosis, stats.kurtosis(x))
    assert_allclose(law.entropy, stats.entropy([1, 2, 1]))
    assert np.isnan(Empirical([3.0]).skewness)


def test_fit_by_weighted_values():
    """distributions.17, distributions.37: members, batches, and what is not observed."""
    x, R = np.array([1.0, 2.0, np.nan, 2.0]), np.array([[1.0, 0], [0.5, 0.5], [1, 1], [0, 1]])
    members = Empirical.fit(Empirical.statistics(x[:2], R[:2]) + Empirical.statistics(x[2:], R[2:]))
    assert_allclose(members.mean, [2 / 1.5, 2.0])
    table = members.log_prob_rows(x)
    assert_allclose(np.exp(table), [[1 / 1.5, 0.0], [0.5 / 1.5, 1.0], [1, 1], [0.5 / 1.5, 1.0]])
    with pytest.raises(ValueError, match="Empirical: data must be one observed column"):
        Empirical.fit([[1.0, 2.0]])
