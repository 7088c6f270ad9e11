"""Sums and the best path over all ways to cut a short sequence."""

import numpy as np
import pytest

from margin.native.chains.segments import segment_sums, segment_viterbi

RNG = np.random.default_rng(2)


def ways(T, K, D):
    """All segmentations: (state, length) pairs; the last may last beyond the end."""
    if T == 0:
        yield []
        return
    for k in range(K):
        for d in range(1, min(D, T) + 1):
            for rest in ways(T - d, K, D):
                yield [(k, d), *rest]


def twin(table, start, transition, duration, survival):
    T, K = table.shape
    D = duration.shape[1]
    posterior, counts, lasted, total = np.zeros((T, K)), np.zeros((K, K)), np.zeros((K, D)), 0.0
    best = (-1.0, None)
    for way in ways(T, K, D):
        p, t, path = 1.0, 0, []
        for s, (k, d) in enumerate(way):
            p *= start[k] if s == 0 else transition[way[s - 1][0], k]
            p *= survival[k, d - 1] if s == len(way) - 1 else duration[k, d - 1]
            p *= np.exp(table[t : t + d, k].sum())
            t, path = t + d, path + [k] * d
        total += p
        if p > best[0]:
            best = (p, path)
        posterior[np.arange(T), path] += p
        for s, (k, d) in enumerate(way):
            if s:
                counts[way[s - 1][0], k] += p
            if s < len(way) - 1:
                lasted[k, d - 1] += p
            else:
                lasted[k, d - 1 :] += p * duration[k, d - 1 :] / survival[k, d - 1]
    return posterior / total, counts / total, lasted / total, np.log(total), best


@pytest.mark.parametrize(("K", "D", "T"), [(2, 3, 5), (3, 2, 4), (1, 4, 4), (2, 5, 3)])
def test_sums_over_all_segmentations(K, D, T):
    start, duration = RNG.dirichlet(np.ones(K)), RNG.dirichlet(np.ones(D), K)
    transition = RNG.random((K, K)) * (1 - np.eye(K)) if K > 1 else np.zeros((1, 1))
    transition = transition / np.maximum(transition.sum(axis=1, keepdims=True), 1e-300)
    survival = np.cumsum(duration[:, ::-1], axis=1)[:, ::-1].copy()
    table = RNG.normal(size=(T, K))
    with np.errstate(divide="ignore"):
        logs = [np.log(x) for x in (start, transition, duration, survival)]
    offsets = np.array([0, T])
    posterior, counts, lasted, values = segment_sums(table, offsets, *logs, 1)
    truth = twin(table, start, transition, duration, survival)
    np.testing.assert_allclose(posterior, truth[0], atol=1e-12)
    np.testing.assert_allclose(counts, truth[1], atol=1e-12)
    np.testing.assert_allclose(lasted, truth[2], atol=1e-12)
    assert values[0] == pytest.approx(truth[3])
    path, score = segment_viterbi(table, offsets, *logs, 1)
    assert np.exp(score[0]) == pytest.approx(truth[4][0])
    assert path.tolist() == truth[4][1]


def test_geometric_durations_are_a_plain_chain():
    """Without an end of durations, and up to the longest one, a segment is a run of stays."""
    from margin.native.chains.messages import forward_backward

    stay, D = np.array([0.7, 0.4]), 200
    table, offsets = RNG.normal(size=(30, 2)), np.array([0, 10, 30])
    plain = np.array([[0.7, 0.3], [0.6, 0.4]])
    start = np.array([0.5, 0.5])
    duration = (1 - stay)[:, None] * stay[:, None] ** np.arange(D)
    survival = stay[:, None] ** np.arange(D)
    with np.errstate(divide="ignore"):
        logs = [np.log(x) for x in (start, 1 - np.eye(2), duration, survival)]
    found = segment_sums(table, offsets, *logs, 2)
    truth = forward_backward(table, offsets, start, plain, 1)
    np.testing.assert_allclose(found[0], truth[0], atol=1e-10)
    np.testing.assert_allclose(found[3], truth[2], rtol=1e-10)


def test_impossible():
    table = np.zeros((5, 1))
    logs = [np.zeros(1), np.full((1, 1), -np.inf), np.log([[0.5, 0.5]]), np.log([[1.0, 0.5]])]
    assert segment_sums(table, np.array([0, 5]), *logs, 1)[3][0] == -np.inf
    path, value = segment_viterbi(table, np.array([0, 5]), *logs, 1)
    assert value[0] == -np.inf
    assert (path == -1).all()
