"""Tables in blocks of rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.decomposition import PCA
from margin.decomposition._blocks import RowBlocks, block_moments, checked_blocks, moments
from margin.distributions import Moments

X = np.random.default_rng(0).normal(size=(60, 4)) + np.array([1e6, 0, -3, 5])


@pytest.mark.parametrize("weighted", [False, True])
def test_moments_are_those_of_the_distributions(weighted):
    weight = np.random.default_rng(1).uniform(0, 2, 60) if weighted else None
    ours, theirs = moments(X, weight), Moments.of(X, weight)
    assert_allclose(ours.weight, theirs.weight)
    assert_allclose(ours.mean, theirs.mean, rtol=1e-13)
    assert_allclose(ours.scatter, theirs.scatter, rtol=1e-9, atol=1e-8)


def test_blocks_add_up():
    stats, n = block_moments(RowBlocks([(X[:7], None), (X[7:8], None), (X[8:], None)]))
    assert n == 60
    assert_allclose(stats.scatter, moments(X).scatter, rtol=1e-9, atol=1e-8)


def test_an_iterator_is_refused():
    with pytest.raises(ValueError, match="PCA: blocks must be a list, another iterable"):
        checked_blocks(PCA(), iter([X]))


def test_no_blocks_are_refused():
    with pytest.raises(ValueError, match="PCA: blocks must be at least one block of rows"):
        checked_blocks(PCA(), [])


def test_blocks_may_have_weights_and_come_from_a_function():
    weight = np.random.default_rng(1).integers(0, 3, 60).astype(float)
    parts = PCA(2).fit_blocks(lambda: ((X[i : i + 20], weight[i : i + 20]) for i in (0, 20, 40)))
    whole = PCA(2, svd_solver="covariance_eigh").fit(X, sample_weight=weight)
    assert_allclose(parts.components_, whole.components_, atol=1e-9)
    assert_allclose(parts.explained_variance_, whole.explained_variance_, rtol=1e-9)
    with pytest.raises(ValueError, match="PCA: blocks must be of tables X or tuples"):
        PCA(2).fit_blocks([(X, None, None)])


def test_columns_must_agree():
    with pytest.raises(ValueError, match="features"):
        list(checked_blocks(PCA(), [X, X[:, :2]]))
