"""Topics of the same words become one; those of other words do not."""

import numpy as np
from numpy.testing import assert_allclose

from margin.mixture import sample_documents
from margin.mixture.topics._corpus import corpus, counts
from margin.mixture.topics._shared_topics import document_counts
from margin.mixture.topics._topic_sampler import TopicSampler, TopicState
from margin.mixture.topics._united_topics import Tokens, united

MADE = sample_documents(80, 60, n_topics=3, length=60, topic_word_prior=0.1, rng=0)
WORDS = corpus("Test", counts("Test", MADE.counts))
SAMPLER = TopicSampler(WORDS, 60, 0.1, True, 0, 1)
PRIOR = np.full(6, 0.3)


def state(topic, n_topics=6):
    place = WORDS.word.astype(np.int64) * n_topics + topic
    table = np.bincount(place, minlength=60 * n_topics).reshape(60, n_topics)
    return TopicState(topic.astype(np.int32), table.astype(np.int32))


def settled():
    """A state that sampling with as many topics as made the documents has reached."""
    rng = np.random.default_rng(0)
    at = SAMPLER.start(3, rng)
    for sweep in range(1, 80):
        at = SAMPLER.swept(at, np.full(3, 0.3), sweep, rng)
    return at.topic.astype(np.int64)


def test_a_topic_divided_at_random_is_made_one_again():
    whole = settled()
    coin = np.random.default_rng(1).random(len(whole)) < 0.4
    split = np.where((whole == 1) & coin, 4, whole)
    at = state(split)
    new, unions = united(SAMPLER, at, document_counts(SAMPLER, at, 6), PRIOR)
    assert [{u.kept, u.gone} for u in unions] == [{1, 4}]
    assert len(set(new.topic[whole == 1])) == 1
    assert_allclose(new.word_topic, state(new.topic.astype(np.int64)).word_topic)


def test_topics_of_other_words_stay_apart():
    at = state(settled())
    new, unions = united(SAMPLER, at, document_counts(SAMPLER, at, 6), PRIOR)
    assert unions == []
    assert new is at


def test_gain_by_brute_force():
    """The change of the log probability of all words, one after the other, and the price."""
    at = state(settled())
    table = document_counts(SAMPLER, at, 6)
    tokens = Tokens(SAMPLER, at, table, PRIOR)
    union = tokens.union(0, 2)
    theta = (table + PRIOR) / (table.sum(axis=1, keepdims=True) + PRIOR.sum())
    phi = (at.word_topic + 0.1) / (at.word_topic.sum(axis=0) + 6.0)
    both = at.word_topic[:, 0] + at.word_topic[:, 2] + 0.1
    both = both / both.sum()
    change = 0.0
    for d in range(80):
        for w in WORDS.word[WORDS.first[d] : WORDS.first[d + 1]]:
            before = theta[d] @ phi[w]
            after = before + (theta[d, 0] + theta[d, 2]) * both[w]
            after -= theta[d, 0] * phi[w, 0] + theta[d, 2] * phi[w, 2]
            change += np.log(after / before)
    held = at.word_topic[:, union.gone]
    price = 0.5 * np.count_nonzero(held) * np.log(held.sum())
    assert_allclose(union.gain, change + price)
