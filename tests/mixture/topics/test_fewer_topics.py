"""Topics united pair by pair, against the joint probability of words and topics (mixture.18)."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.special import gammaln

from margin.mixture.topics import _fewer_topics
from margin.mixture.topics._corpus import Corpus
from margin.mixture.topics._fewer_topics import fewer
from margin.mixture.topics._topic_sampler import TopicState

RNG = np.random.default_rng(0)
FIRST = np.array([0, 30, 30, 75, 120])
WORD = RNG.integers(6, size=120, dtype=np.int32)
CORPUS = Corpus(FIRST, WORD)
PRIOR, ETA = 0.3, 0.2


def state(k, rng):
    topic = rng.integers(k, size=120, dtype=np.int32)
    table = np.zeros((6, k), dtype=np.int32)
    np.add.at(table, (WORD, topic), 1)
    return TopicState(topic, table)


def log_joint(topic):
    """All that depends on the topics, those without words included as factors of one."""
    value = 0.0
    for d in range(4):
        n = np.bincount(topic[FIRST[d] : FIRST[d + 1]])
        value += (gammaln(n + PRIOR) - gammaln(PRIOR)).sum()
    for k in range(topic.max() + 1):
        n = np.bincount(WORD[topic == k], minlength=6)
        value += (gammaln(n + ETA) - gammaln(ETA)).sum()
        value += gammaln(6 * ETA) - gammaln(n.sum() + 6 * ETA)
    return value


@pytest.mark.parametrize("seed", range(5))
def test_every_union_is_the_best_one(seed):
    at = state(5, np.random.default_rng(seed))
    topic = at.topic
    while topic.max() > 1:
        unions = []
        for a, b in combinations(range(topic.max() + 1), 2):
            other = np.where(topic == b, a, topic)
            unions.append(other - (other > b))
        topic = max(unions, key=log_joint)
        after = fewer(CORPUS, at, topic.max() + 1, PRIOR, ETA)
        assert_array_equal(after.topic, topic)
        table = np.zeros((6, topic.max() + 1), dtype=np.int32)
        np.add.at(table, (WORD, topic), 1)
        assert_array_equal(after.word_topic, table)


def test_nothing_to_unite():
    at = state(3, RNG)
    before = at.word_topic.copy()
    assert fewer(CORPUS, at, 3, PRIOR, ETA) is at
    fewer(CORPUS, at, 1, PRIOR, ETA)
    assert_array_equal(at.word_topic, before)


def test_topics_without_words():
    topic = np.full(120, 2, dtype=np.int32)
    table = np.zeros((6, 4), dtype=np.int32)
    np.add.at(table, (WORD, topic), 1)
    after = fewer(CORPUS, TopicState(topic, table), 2, PRIOR, ETA)
    assert after.word_topic.sum() == 120
    assert after.word_topic.shape == (6, 2)


def test_some_documents_speak_for_all(monkeypatch):
    """Of eight equal documents any three decide like all of them."""
    one = state(5, RNG)
    many = Corpus(120 * np.arange(9), np.tile(WORD, 8))
    at = TopicState(np.tile(one.topic, 8), 8 * one.word_topic)
    whole = fewer(many, at, 2, PRIOR, ETA)
    monkeypatch.setattr(_fewer_topics, "_DOCUMENTS", 3)
    assert_array_equal(fewer(many, at, 2, PRIOR, ETA).topic, whole.topic)
