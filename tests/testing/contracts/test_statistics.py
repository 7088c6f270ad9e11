from dataclasses import replace

import numpy as np
import pytest

from margin.distributions import ColumnMoments, MultivariateNormal, Normal
from margin.testing import StatisticsContract
from margin.testing.contracts._statistics import assert_statistics_close


class TestNormal(StatisticsContract):
    def make(self):
        return [Normal(1e6, 1e-3), Normal([0.0, 5.0], [1.0, 2.0])]


class TestMultivariateNormal(StatisticsContract):
    def make(self):
        return [MultivariateNormal([1.0, -2.0], [[2.0, 0.6], [0.6, 1.0]])]


def faulty(statistics=None, fit=None):
    members = {}
    if statistics is not None:
        members["statistics"] = classmethod(statistics)
    if fit is not None:
        members["fit"] = classmethod(fit)
    made = type("Broken", (Normal,), members)

    class Faulty(StatisticsContract):
        def make(self):
            return [made([0.0, 5.0], [1.0, 2.0])]

    return Faulty()


class NotASum(ColumnMoments):
    def __add__(self, other):
        mixed = 0.5 * (self.mean + other.mean)
        return NotASum(self.weight + other.weight, mixed, self.scatter + other.scatter)


def not_a_sum(cls, X, weight=None):
    found = ColumnMoments.of(X, weight)
    return NotASum(found.weight, found.mean, found.scatter)


@pytest.mark.parametrize(
    "test",
    [
        "test_addition_is_associative_and_commutative",
        "test_no_rows_are_the_neutral_element",
        "test_batches_add_up",
    ],
)
def test_statistics_that_do_not_add_up_are_found(test):
    with pytest.raises(AssertionError):
        getattr(faulty(statistics=not_a_sum), test)()


def test_ignored_weights_are_found():
    unweighted = faulty(statistics=lambda cls, X, weight=None: ColumnMoments.of(X))
    with pytest.raises(AssertionError):
        unweighted.test_weight_is_repetition()


def test_dependence_on_the_order_is_found():
    first = faulty(statistics=lambda cls, X, weight=None: ColumnMoments.of(X[:5]))
    with pytest.raises(AssertionError):
        first.test_row_order_does_not_matter()


@pytest.mark.parametrize(
    "test", ["test_fit_is_at_least_as_likely_as_the_truth", "test_fit_finds_the_truth_again"]
)
def test_a_poor_fit_is_found(test):
    wide = faulty(fit=lambda cls, stats, prior=None: cls(stats.mean, 5.0))
    with pytest.raises(AssertionError):
        getattr(wide, test)()


def test_close_compares_type_and_every_field():
    one = Normal.statistics([1.0, 2.0])
    assert_statistics_close(one, replace(one, mean=one.mean + 1e-14))
    with pytest.raises(AssertionError, match="mean"):
        assert_statistics_close(one, replace(one, mean=one.mean + 1e-3))
    with pytest.raises(AssertionError):
        assert_statistics_close(one, MultivariateNormal.statistics(np.ones((2, 1))))
