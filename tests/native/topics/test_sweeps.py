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


def mixed(z):
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
    return z ^ (z >> 31)


def uniforms(seed, sweep, document, n, bits):
    """Random numbers of a document, as common/draws.hpp makes them."""
    step, at = 0x9E3779B97F4A7C15, 0
    for part in (seed, sweep, document):
        at = mixed((at + part + step) % 2**64)
    for _ in range(n):
        at = (at + step) % 2**64
        yield (mixed(at) >> (64 - bits)) / 2**bits


def turns(k, documents=range(8)):
    """Documents and places of words in the order in which they are drawn: for up to 64 topics four
    documents of several words take turns, and the last ones follow one another."""
    size = np.diff(FIRSTS)
    todo = [d for d in documents if size[d]]
    if k > 64:
        return [(d, i) for d in todo for i in range(FIRSTS[d], FIRSTS[d + 1])]
    now, order = [[d, FIRSTS[d]] for d in todo[:4]], []
    todo = todo[4:]
    while len(now) == 4:
        for _ in range(min(FIRSTS[d + 1] - i for d, i in now)):
            for pair in now:
                order.append(tuple(pair))
                pair[1] += 1
        r = 0
        while r < len(now):
            if now[r][1] < FIRSTS[now[r][0] + 1]:
                r += 1
            elif todo:
                now[r] = [todo[0], FIRSTS[todo.pop(0)]]
            elif r == len(now) - 1:
                now.pop()
            else:
                now[r] = now.pop()
    return order + [(d, j) for d, i in now for j in range(i, FIRSTS[d + 1])]


FIRSTS = np.array([0, 5, 5, 30, 31, 60, 66, 80, 100])


@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize("k", [1, 2, 8, 9, 20, 33, 64, 65, 130])
def test_draws_against_numpy(k, given):
    """The same topics from the same random numbers, word by word."""
    topic, table = state(k)
    prior, phi, eta = RNG.random(k) + 0.05, RNG.random((7, k)), 0.3
    if given:
        after, counts = sweeps.given_topics(FIRSTS, WORD, topic, phi, prior, 11, 4, 1)
    else:
        after, counts = sweeps.collapsed(FIRSTS, WORD, topic, table, prior, eta, 11, 4)
    z, held, total = topic.copy(), table.astype(float), table.sum(axis=0) + 7 * eta
    bits = 24 if k <= 64 else 53
    source = [uniforms(11, 4, d, 100, bits) for d in range(len(FIRSTS) - 1)]
    for d, i in turns(k):
        w = WORD[i]
        held[w, z[i]] -= 1
        total[z[i]] -= 1
        n = np.bincount(z[FIRSTS[d] : FIRSTS[d + 1]], minlength=k)
        n[z[i]] -= 1
        sums = np.cumsum((n + prior) * (phi[w] if given else (held[w] + eta) / total))
        z[i] = np.searchsorted(sums, next(source[d]) * sums[-1], side="right")
        held[w, z[i]] += 1
        total[z[i]] += 1
    assert_array_equal(after, z)
    assert_array_equal(counts, held)


@pytest.mark.parametrize("parts", [[range(8)], [range(5), range(5, 8)]])
@pytest.mark.parametrize("k", [1, 9, 20, 64])
def test_delayed_draws_against_numpy(k, parts):
    """Parts see what they began with and their own draws, and sizes of topics as they were."""
    topic, table = state(k)
    prior, eta = RNG.random(k) + 0.05, 0.3
    both = [
        sweeps.delayed(FIRSTS, WORD, topic, table, prior, eta, 11, 4, len(parts), n) for n in (1, 2)
    ]
    z, total = topic.copy(), table.sum(axis=0) + 7 * eta
    for documents in parts:
        held = table.astype(float)
        source = {d: uniforms(11, 4, d, 100, 24) for d in documents}
        for d, i in turns(k, documents):
            w = WORD[i]
            held[w, z[i]] -= 1
            n = np.bincount(z[FIRSTS[d] : FIRSTS[d + 1]], minlength=k)
            n[z[i]] -= 1
            sums = np.cumsum((n + prior) * (held[w] + eta) / total)
            z[i] = np.searchsorted(sums, next(source[d]) * sums[-1], side="right")
            held[w, z[i]] += 1
    counts = np.zeros((7, k))
    np.add.at(counts, (WORD, z), 1)
    for after in both:
        assert_array_equal(after[0], z)
        assert_array_equal(after[1], counts)


def test_delayed_renews_the_sizes_of_topics():
    """After 256 words: the draws of a long document tell that sizes follow."""
    first, word = np.array([0, 4000]), RNG.integers(7, size=4000, dtype=np.int32)
    topic = np.zeros(4000, dtype=np.int32)
    table = np.zeros((7, 2), dtype=np.int32)
    np.add.at(table, (word, topic), 1)
    after, counts = sweeps.delayed(first, word, topic, table, np.full(2, 1e3), 9.0, 0, 0, 1, 1)
    z, held, n = topic.copy(), table.astype(float), np.array([4000, 0])
    source = uniforms(0, 0, 0, 4000, 24)
    for i, w in enumerate(word):
        if i == 0 or (i + 1) % 256 == 0:
            total = n + 63.0
        held[w, z[i]] -= 1
        n[z[i]] -= 1
        sums = np.cumsum((n + 1e3) * (held[w] + 9.0) / total)
        z[i] = np.searchsorted(sums, next(source) * sums[-1], side="right")
        held[w, z[i]] += 1
        n[z[i]] += 1
    assert (after == z).mean() > 0.999
    assert_array_equal(counts.sum(axis=1), table.sum(axis=1))


def test_delayed_has_limits():
    topic, table = state(65)
    prior = np.full(65, 0.3)
    assert sweeps.delayed(FIRST, WORD, topic, table, prior, 0.1, 0, 0, 1, 1) is None
    topic, table = state(3)
    assert sweeps.delayed(FIRST, WORD, topic, table, np.full(3, 1e-99), 0.1, 0, 0, 1, 1) is None
    # More parts than documents.
    after = sweeps.delayed(FIRST, WORD, topic, table, np.full(3, 0.5), 0.1, 0, 0, 9, 1)
    assert_array_equal(after[1].sum(axis=1), table.sum(axis=1))
    with pytest.raises(ValueError, match="different shape"):
        sweeps.delayed(FIRST, WORD, topic, table, np.full(3, 0.5), 0.1, 0, 0, 0, 1)


def test_tiny_and_huge_weights():
    """Priors beyond single precision, for which there is another loop, and a topic without words
    whose prior would make its inverse infinite."""
    topic, table = state(3)
    phi = RNG.random((7, 3))
    for prior in (np.full(3, 1e-200), np.full(3, 1e200), np.array([1e-200, 1.0, 1e-30])):
        after, counts = sweeps.given_topics(FIRST, WORD, topic, phi, prior, 0, 0, 1)
        assert_array_equal(counts.sum(axis=1), table.sum(axis=1))
        after, counts = sweeps.collapsed(FIRST, WORD, topic, table, prior, 0.1, 0, 0)
        assert_array_equal(counts.sum(axis=1), table.sum(axis=1))
    alone = np.zeros(100, dtype=np.int32)
    table = np.zeros((7, 3), dtype=np.int32)
    np.add.at(table, (WORD, alone), 1)
    after, counts = sweeps.collapsed(FIRST, WORD, alone, table, np.ones(3), 1 / 7, 0, 0)
    assert after.any()
    assert_array_equal(counts.sum(axis=1), table.sum(axis=1))


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
    topic, table = state(6)
    state_of_six = topic, table, np.full(6, 0.2), 0.1
    topics, prior = RNG.random((7, 6)), np.full(6, 0.2)
    before = _native.set_least_work(0.0)
    try:
        one, two = (sweeps.given_topics(FIRST, WORD, topic, topics, prior, 3, 1, n) for n in (1, 2))
        warm = [sweeps.delayed(FIRST, WORD, *state_of_six, 3, 1, 2, n) for n in (1, 2)]
        left = [sweeps.left_to_right(FIRST, WORD, topics, prior, 5, 1, n) for n in (1, 2)]
    finally:
        _native.set_least_work(before)
    assert_array_equal(one[0], two[0])
    assert_array_equal(one[1], two[1])
    assert_array_equal(warm[0][0], warm[1][0])
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
    with pytest.raises(ValueError, match="no topics"):
        sweeps.collapsed(FIRST, WORD, topic, table[:, :0], np.ones(0), 0.1, 0, 0)
