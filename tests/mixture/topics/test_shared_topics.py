"""Gibbs sampling of a hierarchical Dirichlet process."""

import numpy as np
from numpy.testing import assert_allclose

from margin.distributions import Gamma
from margin.mixture import ChineseRestaurantProcess
from margin.mixture.topics._corpus import Corpus
from margin.mixture.topics._shared_topics import (
    Budget,
    Shares,
    document_counts,
    next_shares,
    sample_shared_topics,
    tables,
)
from margin.mixture.topics._topic_sampler import TopicSampler

CORPUS = Corpus(np.array([0, 3, 5]), np.array([0, 0, 1, 1, 2], dtype=np.int32))


def test_tables_follow_the_restaurant():
    """The mean over restaurants is the expected number of tables of each kind."""
    counts = np.tile([[7, 0, 3]], (4000, 1))
    weight = np.array([0.5, 1.0, 2.0])
    found = tables(counts, weight, np.random.default_rng(0)) / 4000
    truth = [ChineseRestaurantProcess(a).expected_tables(n) for a, n in ((0.5, 7), (2.0, 3))]
    assert_allclose(found[[0, 2]], truth, rtol=0.03)
    assert found[1] == 0


def test_document_counts():
    sampler = TopicSampler(CORPUS, 3, 0.1, True, 0, 1)
    at = sampler.start(2, np.random.default_rng(0))
    at = at._replace(topic=np.array([0, 1, 1, 1, 0], dtype=np.int32))
    assert document_counts(sampler, at, 2).tolist() == [[1, 2], [1, 1]]


def test_concentrations_are_drawn_only_when_asked():
    before = Shares(np.array([0.5, 0.5]), 1.0, 2.0)
    counts, rng = np.array([[3, 0], [2, 4]]), np.random.default_rng(0)
    fixed = next_shares(before, counts, 1.0, 2.0, rng)
    assert (fixed.alpha, fixed.gamma) == (1.0, 2.0)
    drawn = next_shares(before, counts, Gamma(1.0, 1.0), Gamma(1.0, 1.0), rng)
    assert drawn.alpha != 1.0
    assert drawn.gamma != 2.0
    assert_allclose(drawn.weights.sum(), 1.0)


def test_without_words_weights_follow_their_prior():
    empty = Corpus(np.array([0, 0]), np.zeros(0, dtype=np.int32))
    sampler = TopicSampler(empty, 3, 0.1, True, 0, 1)
    solution = sample_shared_topics(
        sampler, 4, 1.0, 2.0, Budget(4000, 10**9), np.random.default_rng(0)
    )
    assert_allclose(solution.x.shares.weights, 0.25, atol=0.05)
    assert (solution.x.n_used == 0).all()
