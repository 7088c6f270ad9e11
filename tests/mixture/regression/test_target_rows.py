"""Rows with targets: totals and single rows over several blocks."""

import numpy as np
from numpy.testing import assert_allclose

from margin.mixture.regression._target_rows import TargetRows

RNG = np.random.default_rng(0)
Z, Y, W = RNG.normal(size=(20, 2)), RNG.normal(size=20) + 1e4, RNG.integers(0, 3, 20).astype(float)
ROWS = TargetRows([(Z[p], Y[p], W[p]) for p in (slice(0, 3), slice(3, 20))])


def test_totals():
    found = ROWS.totals()
    assert (found.n_rows, found.n_weighted) == (20, np.count_nonzero(W))
    assert_allclose(found.gram, (Z * W[:, None]).T @ Z)
    assert_allclose(found.variance, np.average((Y - np.average(Y, weights=W)) ** 2, weights=W))
    assert_allclose(found.weights, W)


def test_rows_come_in_the_order_asked_for_and_may_repeat():
    rows, targets = ROWS.some(np.array([19, 0, 3, 3]))
    assert_allclose(rows, Z[[19, 0, 3, 3]])
    assert_allclose(targets, Y[[19, 0, 3, 3]])


def test_equal_targets_have_no_variance():
    """The mean of twelve tenths is not a tenth: what is left is rounding, and no unit."""
    equal = TargetRows([(np.ones((12, 1)), np.full(12, 0.1), np.ones(12))])
    assert equal.totals().variance == 0.0
    nearly = TargetRows([(np.ones((2, 1)), np.array([1e8, 1e8 + 1]), np.ones(2))])
    assert nearly.totals().variance == 0.25
