"""Filtering, best paths and walks where the transitions change from step to step."""

from itertools import pairwise

import numpy as np

from margin.core.types import Floats, Indices, Ints


def driven_filter(
    table: Floats, offsets: Indices, start: Floats, steps: Floats
) -> tuple[Floats, Floats]:
    """Filtered states (T, K) and log likelihoods; ``steps[t]`` leads from row t to the next.

    Examples
    --------
    >>> steps = np.tile(np.eye(2), (2, 1, 1))
    >>> driven_filter(np.log([[0.5, 0.5], [0.9, 0.1]]), [0, 2], np.full(2, 0.5), steps)[0]
    array([[0.5, 0.5],
           [0.9, 0.1]])
    """
    states, values = np.zeros(table.shape), np.zeros(len(offsets) - 1)
    for s, (first, last) in enumerate(pairwise(offsets)):
        for t in range(first, last):
            ahead = start if t == first else states[t - 1] @ steps[t - 1]
            top = float(table[t][ahead > 0].max(initial=-np.inf))
            if top == -np.inf:
                values[s] = -np.inf
                break
            joint = ahead * np.exp(np.minimum(table[t] - top, 0.0))
            mass = float(joint.sum())
            states[t], values[s] = joint / mass, values[s] + top + np.log(mass)
    return states, values


def driven_viterbi(
    table: Floats, offsets: Indices, start: Floats, steps: Floats
) -> tuple[Ints, Floats]:
    """The most probable path of every sequence, and its log probability (sequence.13).

    Examples
    --------
    >>> steps = np.tile(np.eye(2), (2, 1, 1))
    >>> driven_viterbi(np.log([[0.5, 0.5], [0.9, 0.1]]), [0, 2], np.full(2, 0.5), steps)[0]
    array([0, 0], dtype=int32)
    """
    path, values = np.zeros(len(table), dtype=np.int32), np.zeros(len(offsets) - 1)
    with np.errstate(divide="ignore"):
        first_logs, logs = np.log(start), np.log(steps)
    came = np.zeros(table.shape, dtype=np.int32)
    for s, (first, last) in enumerate(pairwise(offsets)):
        best = first_logs
        for t in range(first, last):
            if t > first:
                ways = best[:, None] + logs[t - 1]
                came[t] = ways.argmax(axis=0)
                best = ways.max(axis=0)
            best = best + table[t]
        if last == first:
            continue
        path[last - 1], values[s] = best.argmax(), best.max()
        for t in range(last - 1, first, -1):
            path[t - 1] = came[t, path[t]]
    return path, values


def driven_walk(start: Floats, steps: Floats, rng: np.random.Generator) -> Ints:
    """A walk of as many states as there are matrices.

    Examples
    --------
    >>> flip = np.tile(np.eye(2)[::-1], (3, 1, 1))
    >>> driven_walk(np.array([1.0, 0.0]), flip, np.random.default_rng(0))
    array([0, 1, 0], dtype=int32)
    """
    levels, path = rng.random(len(steps)), np.zeros(len(steps), dtype=np.int32)
    for t, level in enumerate(levels):
        law = np.cumsum(start if t == 0 else steps[t - 1, path[t - 1]])
        path[t] = min(int(np.searchsorted(law, level * law[-1], side="right")), len(law) - 1)
    return path
