"""Gibbs sampling of topics: mean counts, and how good the topics are (mixture.18)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.mixture import sample_documents
from margin.mixture.topics._corpus import Corpus, corpus, counts
from margin.mixture.topics._gibbs_topics import sample_topics
from margin.mixture.topics._held_out import left_to_right
from margin.mixture.topics._topic_sampler import TopicSampler

CORPUS = Corpus(np.array([0, 3, 5]), np.array([0, 0, 1, 1, 2], dtype=np.int32))
ETA = 0.4


@pytest.mark.parametrize("max_iter", [0, 1, 2, 3, 40])
@pytest.mark.parametrize("n_topics", [1, 2, 3])
@pytest.mark.parametrize("collapsed", [True, False])
def test_mean_counts(collapsed, n_topics, max_iter):
    sampler = TopicSampler(CORPUS, 3, ETA, collapsed, 3, 1)
    solution = sample_topics(sampler, n_topics, 0.6, max_iter, np.random.default_rng(0))
    assert solution.x.shape == (3, n_topics)
    assert_allclose(solution.x.sum(axis=1), [2, 2, 1])
    assert solution.n_iter == max_iter
    assert solution.status.ok


@pytest.mark.parametrize("stop", [0, 5, 25, 35])
def test_cut_short(stop):
    """As many topics as were asked for, whenever Ctrl-C comes."""

    def callback(sweep, objective):
        if sweep == stop:
            raise KeyboardInterrupt

    sampler = TopicSampler(CORPUS, 3, ETA, True, 3, 1)
    solution = sample_topics(sampler, 2, 0.6, 40, np.random.default_rng(0), callback)
    assert solution.x.shape == (3, 2)
    assert_allclose(solution.x.sum(axis=1), [2, 2, 1])


@pytest.mark.parametrize("seed", range(3))
def test_no_topic_holds_two(seed):
    """Held-out documents are foretold nearly as well as by the topics that made them; sampling from
    ten topics on, two of them share one for hundreds of sweeps."""
    made = sample_documents(
        600, 500, n_topics=10, doc_topic_prior=0.1, topic_word_prior=0.05, length=100, rng=0
    )
    words = corpus("test", counts("test", made.counts[:500]))
    solution = sample_topics(
        TopicSampler(words, 500, 0.05, True, seed, 1), 10, 0.1, 40, np.random.default_rng(seed)
    )
    topics = solution.x.T + 0.05
    test = corpus("test", counts("test", made.counts[500:]))
    ours, truth = (
        left_to_right(test, t, np.full(10, 0.1), 10, np.random.default_rng(0), 1).sum()
        for t in (topics / topics.sum(axis=1, keepdims=True), made.topics)
    )
    assert (truth - ours) / len(test.word) < 0.05


def test_no_words():
    empty = Corpus(np.array([0, 0]), np.zeros(0, dtype=np.int32))
    solution = sample_topics(
        TopicSampler(empty, 3, ETA, True, 3, 1), 2, 0.6, 8, np.random.default_rng(0)
    )
    assert_allclose(solution.x, 0.0)
