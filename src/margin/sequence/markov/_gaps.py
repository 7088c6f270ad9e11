"""Chains of any order with unobserved states, which are summed over exactly."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from margin.core import Solution
from margin.core.types import Bools, Floats, Indices
from margin.inference import Expectation, expectation_maximisation
from margin.sequence.markov._contexts import Coded, context_counts

Tables = tuple[Floats, ...]
"""Laws of the next state: the m-th, of shape (K**m, K), after m states."""


def forward(codes: Indices, tables: Tables) -> tuple[list[Floats], float]:
    """Laws of the context before every step and after the last, and the log probability.

    Where the sequence is impossible the laws end early and the value is minus infinity.

    Examples
    --------
    >>> laws, value = forward(np.array([0, -1]), (np.array([[0.5, 0.5]]), np.eye(2)))
    >>> laws[-1], round(value, 4)
    (array([1., 0.]), -0.6931)
    """
    order = len(tables) - 1
    laws, value = [np.ones(1)], 0.0
    for t, code in enumerate(codes):
        joint = laws[-1][:, None] * _shown(tables[min(t, order)], code)
        mass = float(joint.sum())
        if not mass > 0:
            return laws, -np.inf
        value += math.log(mass)
        laws.append(_moved(joint, t < order) / mass)
    return laws, value


def add_expected(codes: Indices, tables: Tables, weight: float, counts: list[Floats]) -> float:
    """Log probability of a sequence; expected transitions, times ``weight``, are added."""
    laws, value = forward(codes, tables)
    if value > -np.inf:
        for t, pairs in backward(codes, tables, laws):
            counts[min(t, len(tables) - 1)] += weight * pairs
    return value


def backward(codes: Indices, tables: Tables, laws: list[Floats]) -> Iterator[tuple[int, Floats]]:
    """Steps of a sequence, the last first: probabilities of context and state given all of it."""
    order = len(tables) - 1
    ahead = np.ones_like(laws[-1])
    for t in range(len(codes) - 1, -1, -1):
        table = tables[min(t, order)]
        # What is ahead of a context and the state that follows it.
        beyond = ahead if t < order else np.tile(ahead, table.size // len(ahead))
        joint = _shown(table, codes[t]) * beyond.reshape(table.shape)
        pairs = laws[t][:, None] * joint
        yield t, pairs / pairs.sum()
        ahead = joint.sum(axis=1)
        ahead /= ahead.max()


def _shown(table: Floats, code: int) -> Floats:
    if code < 0:
        return table
    out = np.zeros_like(table)
    out[:, code] = table[:, code]
    return out


def _moved(joint: Floats, grows: bool) -> Floats:
    """The context a step later: longer by a state, or without its oldest."""
    if grows:
        return joint.ravel()
    return np.asarray(joint.reshape(-1, joint.shape[0]).sum(axis=0))


@dataclass(frozen=True)
class GapLearning:
    """Sequences with gaps and settings of a fit.

    Parameters
    ----------
    parts : tuple of ndarray
        The sequences that have gaps.
    weight : ndarray
        Theirs.
    seen : tuple of ndarray
        Counts of the others.
    prior : float
        Dirichlet concentration of all rows; 1 is maximum likelihood.
    """

    parts: tuple[Indices, ...]
    weight: Floats
    seen: Tables
    prior: float

    def expect(self, at: Tables) -> Expectation[Tables]:
        """Expected counts of every order."""
        counts = [c.copy() for c in self.seen]
        value = 0.0
        for c, table in zip(self.seen, at, strict=True):
            value += float((c[c > 0] * np.log(table[c > 0])).sum())
            value += (self.prior - 1.0) * float(np.log(table[table > 0]).sum())
        for part, weight in zip(self.parts, self.weight, strict=True):
            value += weight * add_expected(part, at, float(weight), counts)
        return Expectation(value, tuple(counts))

    def maximise(self, counts: Tables, before: Tables) -> Tables:
        """Shares of the counts."""
        return tuple(normalised(c, self.prior) for c in counts)


def normalised(counts: Floats, prior: float) -> Floats:
    """Most probable rows; even ones where nothing is known."""
    more = counts + (prior - 1.0)
    total = more.sum(axis=1, keepdims=True)
    return np.where(total > 0, more / np.where(total > 0, total, 1.0), 1.0 / counts.shape[1])


def learn_with_gaps(data: Coded, order: int, weight: Floats | None, prior: float) -> Solution:
    """Tables of a chain of any order; expected counts are its statistics."""
    each = np.ones(data.n) if weight is None else weight
    gaps: Bools = np.array([bool((part < 0).any()) for part in data])
    parts = tuple(part for part, gap in zip(data, gaps, strict=True) if gap)

    def counted(share: Floats) -> Tables:
        orders = range(order + 1)
        return tuple(context_counts(data, m, share, first=m < order) for m in orders)

    problem = GapLearning(parts, each[gaps], counted(np.where(gaps, 0.0, each)), prior)
    start = tuple(normalised(c + 1.0 / data.n_states, 1.0) for c in counted(each))
    return expectation_maximisation(
        problem.expect, problem.maximise, [start], tol=1e-9, max_iter=2000
    )
