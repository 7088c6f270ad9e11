"""Chains whose transitions change, against sums and maxima over all paths."""

from itertools import pairwise, product

import numpy as np
import pytest

from margin.inference import chain_filter, chain_viterbi
from margin.sequence.hidden_markov.inputs._driven_paths import (
    driven_filter,
    driven_viterbi,
    driven_walk,
)

RNG = np.random.default_rng(0)
START, STEPS = RNG.dirichlet(np.ones(3)), RNG.dirichlet(np.ones(3), (9, 3))
TABLE, OFFSETS = RNG.normal(size=(9, 3)), np.array([0, 5, 5, 9])


def test_over_all_paths():
    """sequence.13, sequence.24: the best path, and states given what was seen so far."""
    path, values = driven_viterbi(TABLE, OFFSETS, START, STEPS)
    states, totals = driven_filter(TABLE, OFFSETS, START, STEPS)
    for s, (first, last) in enumerate(pairwise(OFFSETS)):
        if first == last:
            assert values[s] == totals[s] == 0.0
            continue
        found, ends = {}, np.zeros(3)
        for way in product(range(3), repeat=last - first):
            value = np.log(START[way[0]]) + TABLE[first, way[0]]
            for t in range(1, last - first):
                value += np.log(STEPS[first + t - 1, way[t - 1], way[t]])
                value += TABLE[first + t, way[t]]
            found[way] = value
            ends[way[-1]] += np.exp(value)
        best = max(found, key=found.get)
        assert tuple(path[first:last]) == best
        assert values[s] == pytest.approx(found[best])
        np.testing.assert_allclose(states[last - 1], ends / ends.sum())
        assert totals[s] == pytest.approx(np.log(ends.sum()))


def test_steps_that_do_not_change_are_a_plain_chain():
    steps = np.tile(STEPS[0], (9, 1, 1))
    path, values = driven_viterbi(TABLE, OFFSETS, START, steps)
    np.testing.assert_array_equal(path, chain_viterbi(TABLE, OFFSETS, START, STEPS[0])[0])
    np.testing.assert_allclose(values, chain_viterbi(TABLE, OFFSETS, START, STEPS[0])[1])
    np.testing.assert_allclose(
        driven_filter(TABLE, OFFSETS, START, steps)[0],
        chain_filter(TABLE, OFFSETS, START, STEPS[0])[0],
    )


def test_impossible_sequences():
    table = TABLE.copy()
    table[2] = -np.inf
    assert driven_filter(table, OFFSETS, START, STEPS)[1][0] == -np.inf
    assert driven_viterbi(table, OFFSETS, START, STEPS)[1][0] == -np.inf


def test_walks_have_the_transitions():
    """sequence.01: as often as the matrices say."""
    steps = np.tile(STEPS[0], (20_000, 1, 1))
    walk = driven_walk(START, steps, np.random.default_rng(0))
    counts = np.zeros((3, 3))
    np.add.at(counts, (walk[:-1], walk[1:]), 1.0)
    np.testing.assert_allclose(counts / counts.sum(axis=1, keepdims=True), STEPS[0], atol=0.03)
