"""Proportions of documents against the same iterations in NumPy."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from scipy.special import digamma

from margin.native import _native
from margin.native.topics.documents import variational

RNG = np.random.default_rng(0)
X = csr_array(RNG.poisson(0.8, size=(9, 11)).astype(float))
TOPICS = RNG.random((11, 5))
PRIOR = RNG.random(5) + 0.05


def twin(row, gamma, max_iter):
    def expected(g):
        return np.exp(digamma(g) - digamma(g.sum()))

    for _ in range(max_iter):
        theta = expected(gamma)
        gamma = PRIOR + theta * (TOPICS.T @ (row / (TOPICS @ theta)))
    return gamma, expected(gamma)


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("max_iter", [0, 1, 7])
def test_against_numpy(index, max_iter):
    table = X.copy()
    table.indptr, table.indices = table.indptr.astype(index), table.indices.astype(index)
    found = variational(table, TOPICS, PRIOR, np.ones((9, 5)), max_iter, 0.0, 1)
    for d, row in enumerate(X.toarray()):
        gamma, theta = twin(row, np.ones(5), max_iter)
        assert_allclose(found.gamma[d], gamma, rtol=1e-11)
        assert_allclose(found.theta[d], theta, rtol=1e-11)
        assert_allclose(found.value[d], row @ np.log(TOPICS @ theta), rtol=1e-11)
        place = slice(X.indptr[d], X.indptr[d + 1])
        weight = (TOPICS @ theta)[X.indices[place]]
        assert_allclose(found.ratio[place], X.data[place] / weight, rtol=1e-11)


def test_expected_proportions():
    """exp(digamma(x)) over the whole range, with nothing iterated."""
    start = np.array([[1e-300, 1e-12, 0.002, 0.05, 1.0], [5.5, 6.0, 1e3, 1e12, 1e60]])
    found = variational(X[:2], TOPICS, PRIOR, start, 0, 0.0, 1)
    truth = np.exp(digamma(start) - digamma(start.sum(axis=1))[:, None])
    assert_allclose(found.theta, truth, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("k", [1, 7, 8, 17])
def test_long_documents(k):
    """Several panels of words, the last one not full."""
    topics = RNG.random((100, k))
    row = np.where(RNG.random(100) < 0.75, RNG.poisson(2.0, size=100) + 1.0, 0.0)
    found = variational(csr_array(row[None]), topics, np.full(k, 0.3), np.ones((1, k)), 3, 0.0, 1)
    gamma = np.ones(k)
    for _ in range(3):
        theta = np.exp(digamma(gamma) - digamma(gamma.sum()))
        gamma = 0.3 + theta * (topics.T @ (row / (topics @ theta)))
    assert_allclose(found.gamma[0], gamma, rtol=1e-11)


def test_threads_and_start():
    before = _native.set_least_work(0.0)
    start = RNG.random((9, 5)) + 0.1
    kept = start.copy()
    try:
        one, two = (variational(X, TOPICS, PRIOR, start, 50, 1e-6, n) for n in (1, 2))
    finally:
        _native.set_least_work(before)
    for a, b in zip(one, two, strict=True):
        assert_array_equal(a, b)
    assert_array_equal(start, kept)


def test_words_that_no_topic_has():
    """A column of zeros divides by nothing."""
    topics = TOPICS.copy()
    topics[3] = 0.0
    found = variational(X, topics, PRIOR, np.ones((9, 5)), 20, 1e-6, 1)
    assert np.isfinite(found.gamma).all()
    assert np.isfinite(found.value).all()


def test_no_documents_and_refusals():
    empty = csr_array((0, 11))
    assert variational(empty, TOPICS, PRIOR, np.ones((0, 5)), 5, 0.0, 1).gamma.shape == (0, 5)
    with pytest.raises(ValueError, match="different shape"):
        variational(X, TOPICS, PRIOR[:2], np.ones((9, 5)), 5, 0.0, 1)
    wrong = X.copy()
    wrong.indices[0] = 99
    with pytest.raises(ValueError, match="word out of range"):
        variational(wrong, TOPICS, PRIOR, np.ones((9, 5)), 5, 0.0, 1)
