"""Sweeps over topics against their NumPy twins in law, threads, and refusals."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.native import _native
from margin.native.topics import sweeps

RNG = np.random.default_rng(0)
FIRST = np.array([0, 40, 40, 100])
WORD = RNG.integers(7, size=100, dtype=np.int32)


def state(k):
    topic = RNG.integers(k, size=100, dtype=np.int32)
    table = np.zeros((7, k), dtype=np.int32)
    np.add.at(table, (WORD, topic), 1)
    return topic, table


@pytest.mark.parametrize("k", [1, 3, 8, 20])
def test_counts_stay_those_of_the_topics(k):
    topic, table = state(k)
    prior = np.full(k, 0.3)
    for after, counts in (
        sweeps.collapsed(FIRST, WORD, topic, table, prior, 0.1, 5, 2),
        sweeps.given_topics(FIRST, WORD, topic, RNG.random((7, k)), prior, 5, 2, 1),
    ):
        truth = np.zeros((7, k), dtype=np.int32)
        np.add.at(truth, (WORD, after), 1)
        assert_array_equal(counts, truth)
        assert k == 1 or (after != topic).any()


@pytest.mark.parametrize("k", [3, 20])
def test_the_last_word_follows_its_weights(k):
    """One document of one word: shares of its topics over many sweeps, padding included."""
    first, word = np.array([0, 1]), np.array([4], dtype=np.int32)
    prior, topics = RNG.random(k) + 0.1, RNG.random((7, k))
    topic = np.zeros(1, dtype=np.int32)
    seen = [
        sweeps.given_topics(first, word, topic, topics, prior, 1, s, 1)[0][0] for s in range(8000)
    ]
    truth = prior * topics[4] / (prior @ topics[4])
    assert_allclose(np.bincount(seen, minlength=k) / 8000, truth, atol=0.03)


def test_zero_weights_are_never_drawn():
    topics = np.zeros((7, 5))
    topics[:, 2] = 1.0
    topic, _ = state(5)
    after, _ = sweeps.given_topics(FIRST, WORD, topic, topics, np.ones(5), 0, 0, 1)
    assert (after == 2).all()


def test_threads_give_the_same_topics():
    topic, _ = state(6)
    topics, prior = RNG.random((7, 6)), np.full(6, 0.2)
    before = _native.set_least_work(0.0)
    try:
        one, two = (sweeps.given_topics(FIRST, WORD, topic, topics, prior, 3, 1, n) for n in (1, 2))
        left = [sweeps.left_to_right(FIRST, WORD, topics, prior, 5, 1, n) for n in (1, 2)]
    finally:
        _native.set_least_work(before)
    assert_array_equal(one[0], two[0])
    assert_array_equal(one[1], two[1])
    assert_array_equal(left[0], left[1])


def test_one_topic_from_left_to_right():
    """Nothing to draw: the sum of the log probabilities of the words."""
    topics = RNG.random((7, 1))
    found = sweeps.left_to_right(FIRST, WORD, topics, np.ones(1), 3, 0, 1)
    log = np.log(topics[WORD, 0])
    assert_allclose(found, [log[:40].sum(), 0.0, log[40:].sum()])


def test_refusals():
    topic, table = state(3)
    prior = np.ones(3)
    with pytest.raises(ValueError, match="do not span"):
        sweeps.collapsed(FIRST[:2], WORD, topic, table, prior, 0.1, 0, 0)
    with pytest.raises(ValueError, match="word out of range"):
        sweeps.collapsed(FIRST, WORD + np.int32(5), topic, table, prior, 0.1, 0, 0)
    with pytest.raises(ValueError, match="topic out of range"):
        sweeps.collapsed(FIRST, WORD, topic + np.int32(3), table, prior, 0.1, 0, 0)
    with pytest.raises(ValueError, match="out of order"):
        sweeps.collapsed(np.array([0, 60, 50, 100]), WORD, topic, table, prior, 0.1, 0, 0)
    with pytest.raises(ValueError, match="different shape"):
        sweeps.collapsed(FIRST, WORD, topic, table, np.ones(2), 0.1, 0, 0)
