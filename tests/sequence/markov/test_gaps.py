"""Unobserved states under chains of any order, by enumeration."""

from itertools import product

import numpy as np
import pytest

from margin.sequence import MarkovChain
from margin.sequence.markov._contexts import coded
from margin.sequence.markov._gaps import add_expected, forward, learn_with_gaps

NAN = np.nan


def tables_of(k, order, seed=0):
    rng = np.random.default_rng(seed)
    return tuple(rng.dirichlet(np.ones(k), k**m) for m in range(order + 1))


def completions(codes, k, tables):
    """Every sequence that may be behind the gaps, with its probability and its transitions."""
    order = len(tables) - 1
    for fill in product(range(k), repeat=int((codes < 0).sum())):
        whole = codes.copy()
        whole[codes < 0] = fill
        value, steps = 1.0, []
        for t, state in enumerate(whole):
            m = min(t, order)
            context = int(sum(s * k ** (m - 1 - i) for i, s in enumerate(whole[t - m : t])))
            value *= tables[m][context, state]
            steps.append((m, context, state))
        yield whole, value, steps


@pytest.mark.parametrize("order", [0, 1, 2, 3])
@pytest.mark.parametrize("k", [1, 2, 3])
def test_expected_counts_against_all_completions(k, order):
    """sequence.01"""
    tables = tables_of(k, order)
    last = k - 1
    for codes in ([-1, 0, -1, last, -1, -1], [-1], [0, -1], [-1, -1, 0], [0, last, 0]):
        codes = np.array(codes)
        truth, total = [np.zeros_like(t) for t in tables], 0.0
        ends = np.zeros(k ** min(order, len(codes)))
        for whole, p, steps in completions(codes, k, tables):
            total += p
            for m, context, state in steps:
                truth[m][context, state] += p
            tail = whole[len(codes) - min(order, len(codes)) :]
            ends[int(sum(s * k ** (len(tail) - 1 - i) for i, s in enumerate(tail)))] += p
        counts = [np.zeros_like(t) for t in tables]
        value = add_expected(codes, tables, 2.0, counts)
        assert value == pytest.approx(np.log(total))
        for found, wanted in zip(counts, truth, strict=True):
            np.testing.assert_allclose(found, 2.0 * wanted / total, atol=1e-13)
        np.testing.assert_allclose(forward(codes, tables)[0][-1], ends / total)


def test_an_impossible_sequence_counts_nothing():
    tables = (np.array([[1.0, 0.0]]), np.eye(2))
    counts = [np.zeros((1, 2)), np.zeros((2, 2))]
    assert add_expected(np.array([-1, 1]), tables, 1.0, counts) == -np.inf
    assert not any(c.any() for c in counts)


def test_of_order_one_both_ways_agree():
    """A chain of order 1 learns by its own faster messages."""
    rng = np.random.default_rng(1)
    walks = [np.where(rng.random(40) < 0.2, NAN, rng.integers(0, 3, 40)) for _ in range(4)]
    chain = MarkovChain(prior=2.0).fit(walks, sample_weight=[1.0, 2.0, 0.5, 1.0])
    data = coded("chain", walks, None, 3)
    found = learn_with_gaps(data, 1, np.array([1.0, 2.0, 0.5, 1.0]), 2.0)
    np.testing.assert_allclose(found.x[1], chain.transition_, atol=1e-4)


def test_a_long_memory_is_learned_in_spite_of_gaps():
    """sequence.01: the exact likelihood never falls, and the truth has no better one."""
    rng = np.random.default_rng(2)
    table = np.array([[0.9, 0.1], [0.2, 0.8], [0.7, 0.3], [0.1, 0.9]])
    walk = [0, 1]
    for level in rng.random(600):
        walk.append(int(level > table[2 * walk[-2] + walk[-1], 0]))
    x = np.where(rng.random(len(walk)) < 0.2, NAN, walk)
    chain = MarkovChain(2, n_states=2).fit([x, walk[:50]])
    np.testing.assert_allclose(chain.transition_, table, atol=0.15)
    assert (np.diff(chain.fit_report_.trace["objective"]) <= 1e-9).all()
    truth = MarkovChain(2, n_states=2).fit([walk])
    assert chain.log_prob([x, walk[:50]]).sum() >= truth.log_prob([x, walk[:50]]).sum()
    whole = MarkovChain(2, n_states=2).fit([[0, 1, 1, 0, 1], [NAN] * 3], sample_weight=[1, 0])
    np.testing.assert_allclose(
        whole.transition_, MarkovChain(2, n_states=2).fit([[0, 1, 1, 0, 1]]).transition_
    )


def test_a_forecast_sums_over_what_was_not_seen():
    chain = MarkovChain(2).fit([[0, 1, 1, 0, 1, 0, 0, 1, 1, 1, 0]])
    tables = (*chain.lower_, chain.transition_)
    codes = np.array([0, 1, -1])
    law, total = np.zeros(2), 0.0
    for whole, p, _ in completions(codes, 2, tables):
        law += p * chain.transition_[2 * whole[-2] + whole[-1]]
        total += p
    found = chain.forecast(1, [0, 1, NAN]).probabilities[0]
    np.testing.assert_allclose(found, law / total)


@pytest.mark.parametrize("order", [0, 1, 2, 3])
def test_queries_sum_over_all_completions(order):
    """sequence.01: states in a gap and beyond the end, given all that was seen."""
    rng = np.random.default_rng(order)
    chain = MarkovChain(order, n_states=2, prior=2.0).fit([rng.integers(0, 2, 80)])
    tables = (*chain.lower_, chain.transition_)
    for seen in ([0, NAN, 1, NAN, NAN, 0], [NAN, 1, 1]):
        codes = np.concatenate([np.where(np.isnan(seen), -1, seen).astype(int), [-1, -1]])
        truth, total = np.zeros((len(codes), 2)), 0.0
        for whole, p, _ in completions(codes, 2, tables):
            truth[np.arange(len(codes)), whole] += p
            total += p
        at = [len(seen) + 1, 1, 0]
        found = chain.query([seen, [NAN]], at)
        np.testing.assert_allclose(found[0], truth[at] / total)
        assert found.shape == (2, 3, 2)


def test_a_query_of_what_cannot_be():
    chain = MarkovChain(2, n_states=2).fit([[0, 0, 0, 0, 1, 1, 1]])
    with pytest.raises(ValueError, match="X must be possible under the model"):
        chain.query([[0, 0, NAN], [1, NAN]], [0])
