"""Gaussian classes of rows that come in blocks."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.linear import QuadraticDiscriminantAnalysis
from margin.linear._class_statistics import ClassScatter
from margin.linear.discriminant._block_classes import block_scatter, refuse_rows

RNG = np.random.default_rng(1)
X, Y = RNG.normal(size=(40, 3)), np.arange(40) % 3


@pytest.mark.parametrize("pooled", [True, False])
def test_the_sums_are_those_of_all_rows(pooled):
    blocks = [(X[:11], Y[:11]), (X[11:], Y[11:])]
    labels, stats, n_rows = block_scatter(
        QuadraticDiscriminantAnalysis(), blocks, None, pooled=pooled
    )
    whole = ClassScatter.of(X, Y, 3, pooled=pooled)
    assert n_rows == 40
    assert_array_equal(labels, [0, 1, 2])
    assert_allclose(stats.mean, whole.mean, atol=1e-14)
    assert_allclose(stats.scatter, whole.scatter, atol=1e-12)


def test_a_class_that_is_announced_and_never_seen():
    with pytest.raises(ValueError, match="blocks must be of rows with weight in every class"):
        block_scatter(QuadraticDiscriminantAnalysis(), [(X, Y)], [0, 1, 2, 3], pooled=True)


def test_what_needs_the_rows_is_refused():
    refuse_rows("QDA", 0.5, None)
    with pytest.raises(ValueError, match="covariance_estimator must be None for rows in blocks"):
        refuse_rows("QDA", None, object())
    with pytest.raises(ValueError, match="between 0 and 1"):
        refuse_rows("QDA", 2.0, None)
