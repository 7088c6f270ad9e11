"""Log tables against plain arithmetic (inference.11)."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from margin.inference._log_table import LogTable, distribution, log_of, product, scaled, summed


def plain(table):
    return np.exp(table.values + table.shift)


def test_logarithm_product_sum_and_slice_are_those_of_the_numbers():
    rng = np.random.default_rng(0)
    first, second = rng.random((4, 2, 3)), rng.random((3, 5))
    left, right = log_of((7, 1, 4), first), log_of((4, 9), second)
    assert left.scope == (1, 4, 7)
    assert_allclose(plain(left), first.transpose(1, 2, 0))
    both = product((1, 4, 7, 9), (2, 3, 4, 5), [left, right])
    assert_allclose(plain(both), np.einsum("gab,bh->abgh", first, second))
    assert_allclose(plain(summed(both, (9, 1))), np.einsum("gab,bh->ah", first, second))
    assert summed(both, (9, 1)).scope == (1, 9)
    assert_allclose(plain(both.at({4: 2, 8: 1})), np.einsum("ga,h->agh", first[:, :, 2], second[2]))
    assert both.at({5: 0}) is both


def test_the_largest_entry_is_zero_and_nothing_is_lost():
    table = summed(LogTable((0, 1), np.array([[-1000.0, -1000.0], [-3000.0, -np.inf]]), 5.0), (0,))
    assert_allclose(table.values, [0.0, -2000.0 - np.log(2)])
    assert_allclose(table.shift, 5.0 - 1000.0 + np.log(2))
    assert scaled((0,), np.array([-3.0, -1.0])).values.max() == 0.0


def test_zero_everywhere_is_minus_infinity_and_never_nan():
    nothing = log_of((0, 1), np.zeros((2, 2)))
    assert_array_equal(summed(nothing, (1,)).values, [-np.inf, -np.inf])
    weight, log_mass = distribution(summed(product((0, 1), (2, 2), [nothing, nothing]), ()))
    assert (float(weight), log_mass) == (0.0, -np.inf)


def test_a_distribution_sums_to_one_and_its_mass_is_kept():
    weight, log_mass = distribution(log_of((0,), np.array([1.0, 3.0, 0.0])))
    assert_allclose(weight, [0.25, 0.75, 0.0])
    assert_allclose(log_mass, np.log(4.0))
    weight, log_mass = distribution(LogTable((0,), np.array([-2000.0, -2000.0]), 1.0))
    assert_allclose(weight, [0.5, 0.5])
    assert_allclose(log_mass, np.log(2.0) - 1999.0)
