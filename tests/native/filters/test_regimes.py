"""Probabilities of regimes against sums over all paths."""

from itertools import product

import numpy as np
import pytest

from margin.native.filters import regimes

RNG = np.random.default_rng(0)
K, T = 3, 5
START = RNG.dirichlet(np.ones(K))
MOVE = RNG.dirichlet(np.ones(K), size=K)
TABLE = RNG.normal(size=(T, K)) - 900.0


def test_against_all_paths():
    found = regimes.walk(
        TABLE, np.array([0, T], dtype=np.int64), START, MOVE, smooth=True, n_threads=1
    )
    weights, paths = [], list(product(range(K), repeat=T))
    for path in paths:
        weight = np.log(START[path[0]]) + sum(TABLE[t, s] for t, s in enumerate(path))
        weights.append(
            weight + sum(np.log(MOVE[i, j]) for i, j in zip(path, path[1:], strict=False))
        )
    total = np.logaddexp.reduce(weights)
    share = np.exp(np.array(weights) - total)
    assert found.log_prob[0] == pytest.approx(total, rel=1e-13)
    smooth, pairs = np.zeros((T, K)), np.zeros((K, K))
    for path, weight in zip(paths, share, strict=True):
        smooth[np.arange(T), path] += weight
        np.add.at(pairs, (path[:-1], path[1:]), weight)
    np.testing.assert_allclose(found.smooth, smooth, atol=1e-12)
    np.testing.assert_allclose(found.pairs.reshape(K, K), pairs, atol=1e-12)
    np.testing.assert_allclose(found.after[-1], smooth[-1], atol=1e-12)


def test_impossible_and_empty_sequences():
    table = np.full((2, 2), -np.inf)
    offsets = np.array([0, 0, 2], dtype=np.int64)
    found = regimes.walk(
        table, offsets, np.full(2, 0.5), np.full((2, 2), 0.5), smooth=True, n_threads=1
    )
    np.testing.assert_array_equal(found.log_prob, [0.0, -np.inf])
    with pytest.raises(ValueError, match="different shape"):
        regimes.walk(table, offsets, np.ones(3), np.eye(2), smooth=False, n_threads=1)
