"""Covariances as matrices and as rows."""

import numpy as np
from numpy.testing import assert_allclose

from margin.decomposition._blocks import moments
from margin.decomposition.linear._centred_table import centred_table
from margin.decomposition.probabilistic._second_moments import SecondMoments


def test_rows_and_matrix_agree():
    rng = np.random.default_rng(0)
    X, weight = rng.normal(size=(30, 4)) + 2, rng.uniform(0.5, 2, 30)
    one = SecondMoments.of_moments(moments(X, weight))
    two = SecondMoments.of_rows(centred_table(X, weight), weight.sum())
    B = rng.normal(size=(4, 2))
    assert_allclose(one.diagonal, two.diagonal)
    assert_allclose(one.product(B), two.product(B))
    assert one.weight == two.weight
    assert_allclose(one.product(np.eye(4)), np.cov(X.T, aweights=weight, ddof=0))
