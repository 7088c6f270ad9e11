"""Correlation matrices (distributions.18)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import stats

from margin.distributions import correlation_matrix

TESTS = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall": stats.kendalltau}


@pytest.mark.parametrize("method", list(TESTS))
def test_pairs_against_scipy(method):
    """distributions.18: every pair from the rows that have both, with ties."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3)) @ rng.normal(size=(3, 3))
    X[:, 2] = np.round(X[:, 2])
    X[rng.random(X.shape) < 0.2] = np.nan
    matrix = correlation_matrix(X, method)
    assert_allclose(matrix, matrix.T)
    assert_allclose(np.diagonal(matrix), 1.0)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        both = ~np.isnan(X[:, [i, j]]).any(axis=1)
        assert_allclose(matrix[i, j], TESTS[method](X[both, i], X[both, j]).statistic)


@pytest.mark.parametrize("method", list(TESTS))
def test_ranks_do_not_change_with_the_scale(method):
    """distributions.18: a monotone change leaves ranks alone, a linear one everything."""
    x, y = np.random.default_rng(0).normal(size=(2, 50))
    plain = correlation_matrix(np.column_stack([x, y]), method)
    linear = correlation_matrix(np.column_stack([1e6 + 3 * x, y]), method)
    assert_allclose(linear, plain, atol=1e-8)
    bent = correlation_matrix(np.column_stack([np.exp(x), y]), method)
    assert bool(abs(bent[0, 1] - plain[0, 1]) < 1e-12) == (method != "pearson")


def test_constant_columns_and_refusals():
    """distributions.18."""
    assert np.isnan(correlation_matrix([[1.0, 2.0], [1.0, 3.0]])[0, 1])
    with pytest.raises(ValueError, match="method must be one of"):
        correlation_matrix([[1.0]], "cosine")
    with pytest.raises(ValueError, match="X must be a table"):
        correlation_matrix([1.0])
