"""Covariances as matrices and as rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.decomposition._blocks import moments
from margin.decomposition.linear._centred_table import centred_table
from margin.decomposition.probabilistic._second_moments import SecondMoments
from margin.distributions import Moments


def test_overflow_is_told():
    stats = Moments(2.0, np.zeros(1), np.full((1, 1), np.inf))
    with pytest.raises(np.linalg.LinAlgError, match="beyond the largest number"):
        SecondMoments.of_moments(stats)


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
