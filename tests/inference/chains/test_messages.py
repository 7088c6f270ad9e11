"""Filtering and smoothing against sums over all paths and the worked numbers."""

from itertools import pairwise, product

import numpy as np
import pytest

from margin.inference import (
    chain_correct,
    chain_filter,
    chain_log_likelihood,
    chain_pairs,
    chain_predict,
    chain_smooth,
)

A, B = np.array([[0.7, 0.3], [0.4, 0.6]]), np.array([[0.9, 0.1], [0.2, 0.8]])
START, SEEN = np.array([0.6, 0.4]), np.array([0, 0, 1])
TABLE = np.log(B[:, SEEN].T)


def test_golden_filter():
    """sequence.07: filtered states of the worked example."""
    filtered, _ = chain_filter(TABLE, [0, 3], START, A)
    np.testing.assert_allclose(filtered[:, 0], [0.870968, 0.897810, 0.201938], atol=5e-7)


def test_golden_smoother():
    """sequence.08: smoothed states of the worked example, in both forms."""
    for form in ("scaled", "log"):
        posterior = chain_smooth(TABLE, [0, 3], START, A, form=form).posterior
        np.testing.assert_allclose(posterior[:, 0], [0.897820, 0.839683, 0.201938], atol=5e-7)


def test_golden_correction():
    """sequence.09: correction smoothing gives the same without the observations."""
    filtered, _ = chain_filter(TABLE, [0, 3], START, A)
    found = chain_correct(filtered, [0, 3], A)
    np.testing.assert_allclose(found, chain_smooth(TABLE, [0, 3], START, A).posterior, atol=1e-14)


def test_golden_likelihood_three_ways():
    """sequence.11: the sum of the last message, the product of predictions, and any middle."""
    alpha = [START * B[:, 0]]
    for v in SEEN[1:]:
        alpha.append(B[:, v] * (alpha[-1] @ A))
    assert alpha[-1].sum() == pytest.approx(0.13623)
    beta = A @ B[:, 1]
    assert alpha[1] @ beta == pytest.approx(0.13623)
    for n in range(1, 4):
        value = chain_log_likelihood(TABLE[:n], [0, n], START, A)
        assert np.exp(value[0]) == pytest.approx(alpha[n - 1].sum())


def test_pairs_over_all_paths():
    """sequence.10: pairwise marginals against the sum over all paths, several sequences."""
    rng = np.random.default_rng(0)
    start, matrix = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(3), 3)
    table = rng.normal(size=(6, 3))
    offsets = [0, 4, 6]
    truth = np.zeros((6, 3, 3))
    for first, last in ((0, 4), (4, 6)):
        total = 0.0
        for path in product(range(3), repeat=last - first):
            p = start[path[0]] * np.prod([matrix[i, j] for i, j in pairwise(path)])
            p *= np.exp(sum(table[first + t, k] for t, k in enumerate(path)))
            total += p
            for t, (i, j) in enumerate(pairwise(path)):
                truth[first + t, i, j] += p
        truth[first:last] /= total
    filtered, _ = chain_filter(table, offsets, start, matrix)
    smoothed = chain_smooth(table, offsets, start, matrix)
    pairs = chain_pairs(filtered, smoothed.posterior, offsets, matrix)
    np.testing.assert_allclose(pairs, truth, atol=1e-12)
    np.testing.assert_allclose(pairs.sum(axis=0), smoothed.counts, atol=1e-12)


def test_filter_is_the_smoother_of_what_was_seen_so_far():
    """sequence.07: at the last step both are one."""
    rng = np.random.default_rng(1)
    start, matrix = rng.dirichlet(np.ones(4)), rng.dirichlet(np.ones(4), 4)
    table = rng.normal(size=(9, 4))
    filtered, _ = chain_filter(table, [0, 9], start, matrix)
    for t in range(1, 10):
        now = chain_smooth(table[:t], [0, t], start, matrix).posterior[-1]
        np.testing.assert_allclose(filtered[t - 1], now, atol=1e-13)


def test_emissions_of_any_scale_leave_the_posterior():
    """sequence.21: a factor of the likelihood of a step changes no posterior."""
    rng = np.random.default_rng(2)
    table = rng.normal(size=(5, 2))
    moved = table + np.array([1e3, -2e3, 0.0, 5.0, 1e4])[:, None]
    a, b = (chain_smooth(t, [0, 5], START, A) for t in (table, moved))
    np.testing.assert_allclose(a.posterior, b.posterior, atol=1e-10)


def test_prediction():
    """sequence.14: p(v_4) of the worked example."""
    filtered, _ = chain_filter(TABLE, [0, 3], START, A)
    np.testing.assert_allclose(
        chain_predict(filtered[-1], A, 1) @ B, [0.522407, 0.477593], atol=5e-7
    )
    np.testing.assert_allclose(chain_predict(START, A, 0), START)


def test_shapes_are_checked():
    with pytest.raises(ValueError, match="transition must be of shape"):
        chain_filter(np.zeros((3, 2)), [0, 3], START, np.eye(3))
    with pytest.raises(ValueError, match="form must be"):
        chain_smooth(TABLE, [0, 3], START, A, form="exact")
