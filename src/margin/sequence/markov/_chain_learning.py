"""Expectation maximisation for chains of order 1, several at once, with gaps."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from scipy.special import logsumexp

from margin.core.types import Floats
from margin.inference import Expectation, Repaired, chain_smooth
from margin.sequence.markov._contexts import Coded, shown_states


@dataclass(frozen=True)
class Chains:
    """Weights (H,), starts (H, K) and transitions (H, K, K) of the chains of a mixture."""

    weights: Floats
    start: Floats
    transition: Floats


@dataclass(frozen=True)
class ChainLearning:
    """Sequences and settings of a fit.

    Parameters
    ----------
    data : Coded
    weight : ndarray of shape (n,)
        Of the sequences.
    prior : float
        Dirichlet concentration of all rows; 1 is maximum likelihood.
    n_threads : int
    """

    data: Coded
    weight: Floats
    prior: float
    n_threads: int = 1

    def log_joint(self, at: Chains) -> Floats:
        """Log probability of every sequence and component, of shape (n, H)."""
        with np.errstate(divide="ignore"):
            logs = np.log(at.weights), np.log(at.start), np.log(at.transition)
        if (self.data.codes < 0).any():
            log_sums = [self._smooth(at, h, None)[2] for h in range(len(at.weights))]
            return np.stack(log_sums, axis=1) + logs[0]
        first, pairs = self._summed
        safe = [np.where(np.isneginf(x), -1e300, x) for x in logs[1:]]
        value = first @ safe[0].T + pairs @ safe[1].reshape(len(at.weights), -1).T
        return np.where(value < -1e290, -np.inf, value) + logs[0]

    def seeds(self, share: Floats) -> tuple[Floats, Floats]:
        """Counts of first states and transitions, observed ones only, by shares of (n, H)."""
        whole = replace(self, data=_observed_only(self.data))
        ones, twos = whole._summed
        k = self.data.n_states
        return (ones.T @ share).T, (twos.T @ share).T.reshape(-1, k, k)

    @cached_property
    def _summed(self) -> tuple[Any, Any]:
        """First states and transitions of every sequence, as sparse counts."""
        data, k = self.data, self.data.n_states
        which = np.repeat(np.arange(data.n), np.diff(data.offsets))
        begins = np.zeros(len(data.codes), dtype=bool)
        begins[data.offsets[:-1][np.diff(data.offsets) > 0]] = True
        at = np.flatnonzero(~begins)
        number = data.codes[at - 1] * k + data.codes[at]
        pairs = csr_array((np.ones(len(at)), (which[at], number)), shape=(data.n, k * k))
        here = np.flatnonzero(begins)
        first = csr_array((np.ones(len(here)), (which[here], data.codes[here])), shape=(data.n, k))
        return first, pairs

    def expect(self, at: Chains) -> Expectation[Any]:
        """Responsibilities of the chains, and expected counts in each."""
        joint = self.log_joint(at)
        value = logsumexp(joint, axis=1)
        share = np.exp(joint - value[:, None]) * self.weight[:, None]
        if (self.data.codes < 0).any():
            smoothed = [self._smooth(at, h, share[:, h]) for h in range(len(at.weights))]
            begin = self.data.offsets[:-1][np.diff(self.data.offsets) > 0]
            first = np.array([posterior[begin].sum(axis=0) for posterior, _, _ in smoothed])
            pairs = np.array([counts for _, counts, _ in smoothed])
        else:
            ones, twos = self._summed
            first = (ones.T @ share).T
            pairs = (twos.T @ share).T.reshape(at.transition.shape)
        bound = float(self.weight @ value)
        if self.prior != 1.0:
            bound += (self.prior - 1.0) * sum(
                float(np.log(t[t > 0]).sum()) for t in (at.start, at.transition)
            )
        return Expectation(bound, (share.sum(axis=0), first, pairs))

    def maximise(self, stats: Any, before: Chains) -> Chains | Repaired[Chains]:
        """Shares of the counts; rows never seen stay as they are."""
        mass, first, pairs = stats
        after = Chains(
            mass / mass.sum(),
            _rows(first, before.start, self.prior),
            _rows(pairs, before.transition, self.prior),
        )
        lost = np.flatnonzero(mass < 1e-10 * mass.sum())
        if not len(lost) or not (before.weights[lost] > 1e-10).any():
            return after
        told = tuple(f"component {h} has lost all its sequences: left empty" for h in lost)
        return Repaired(after, told)

    def _smooth(self, at: Chains, h: int, weight: Floats | None) -> Any:
        return chain_smooth(
            shown_states(self.data),
            self.data.offsets,
            at.start[h],
            at.transition[h],
            weight=weight,
            n_threads=self.n_threads,
        )


def _rows(counts: Floats, before: Floats, prior: float) -> Floats:
    more = np.where(before > 0, np.maximum(counts + (prior - 1.0), 0.0), 0.0)
    total = more.sum(axis=-1, keepdims=True)
    return np.where(total > 0, more / np.where(total > 0, total, 1.0), before)


def _observed_only(data: Coded) -> Coded:
    """Sequences without their unobserved steps: good enough for a start."""
    seen = data.codes >= 0
    before = np.concatenate([[0], np.cumsum(seen)])
    return replace(data, codes=data.codes[seen], offsets=before[data.offsets])
