"""sequence.25: chain of the interface against enumeration of all slices."""

import numpy as np
import pytest
from networks import STRUCTURES, fits, joint, network

from margin.inference import expectation_maximisation
from margin.sequence.dynamic_network._learning import TableLearning
from margin.sequence.dynamic_network._tables import Seen

each = pytest.mark.parametrize("kind", STRUCTURES)
LENGTH = 3


def holes(s, n, seed=0):
    """Slices with gaps; the first variable is never seen."""
    rng = np.random.default_rng(seed)
    seen = rng.integers(0, s.cards, (n, LENGTH, s.n))
    seen[rng.random(seen.shape) < 0.4] = -1
    seen[:, :, 0] = -1
    seen[0] = -1
    return seen


def tells(s, row, v):
    """Whether a variable, or what descends from it in the slice, is seen or goes on in time."""
    below = [u for u in range(s.n) if v in s.parents[u]]
    return row[v] >= 0 or v in s.interface or any(tells(s, row, u) for u in below)


def seen_of(s, seen):
    offsets = np.arange(len(seen) + 1) * LENGTH
    return Seen.of(s, seen.reshape(-1, s.n), offsets, 1)


def test_both_kinds_of_structure_are_here():
    kinds = {network(kind)[0].separable for kind in STRUCTURES}
    assert kinds == {True, False}


@each
def test_likelihood_and_marginals(kind):
    s, tables = network(kind)
    seen = holes(s, 6)
    codes, p = joint(s, tables, LENGTH)
    data = seen_of(s, seen)
    filtered, values = data.filter(tables)
    smoothed = data.smooth(tables)
    masses = np.array([p[fits(codes, one)].sum() for one in seen])
    np.testing.assert_allclose(values, np.log(masses), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(smoothed.log_likelihood, np.log(masses), rtol=1e-12, atol=1e-12)
    place = np.ravel_multi_index(
        [codes[:, :, v] for v in s.interface] or [np.zeros(codes.shape[:2], int)], s.shape or (1,)
    )
    for i, one in enumerate(seen):
        here = fits(codes, one)
        for t in range(LENGTH):
            want = np.bincount(place[here, t], p[here], s.n_states) / p[here].sum()
            np.testing.assert_allclose(smoothed.share[i * LENGTH + t], want, atol=1e-12)
            past = one.copy()
            past[t + 1 :] = -1
            known = fits(codes, past)
            want = np.bincount(place[known, t], p[known], s.n_states) / p[known].sum()
            np.testing.assert_allclose(filtered[i * LENGTH + t], want, atol=1e-12)


@each
def test_expected_counts_of_families(kind):
    s, tables = network(kind)
    seen = holes(s, 5, 1)
    codes, p = joint(s, tables, LENGTH)
    weight = np.array([1.0, 2.0, 0.5, 0.0, 3.0])
    data = seen_of(s, seen)
    counts = data.families(tables, data.smooth(tables, weight))
    for v in range(s.n):
        first, later = np.zeros_like(tables.first[v]), np.zeros_like(tables.later[v])
        for w, one in zip(weight, seen, strict=True):
            here = fits(codes, one)
            q = w * p[here] / p[here].sum()
            for t in range(LENGTH):
                inner = [codes[here, t, u] for u in s.parents[v]] + [codes[here, t, v]]
                lags = [codes[here, t - 1, u] for u in s.lagged[v]]
                if not tells(s, one[t], v):
                    continue
                np.add.at(*((later, (*lags, *inner), q) if t else (first, tuple(inner), q)))
        if not s.lagged[v]:
            first = later = first + later
        np.testing.assert_allclose(counts.first[v], first, atol=1e-12)
        np.testing.assert_allclose(counts.later[v], later, atol=1e-12)


@each
def test_learning_never_falls(kind):
    s, _ = network(kind)
    problem = TableLearning(seen_of(s, holes(s, 20, 2)), None, 1.0, ())
    start = list(problem.starts(1, None, np.random.default_rng(0)))
    trace = []
    expectation_maximisation(
        problem.expect,
        problem.maximise,
        start,
        max_iter=30,
        tol=None,
        callback=lambda i, value: trace.append(value),
    )
    assert np.diff(trace).max() < 1e-9
    assert s.interface == () or trace[-1] < trace[0] - 1e-3


def test_slices_of_one_kind_are_worked_out_once():
    s, _ = network("hidden chain")
    seen = np.full((50, LENGTH, s.n), -1)
    assert len(seen_of(s, seen).kinds) == 1
