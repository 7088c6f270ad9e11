"""The two steps of learning where inputs drive the transitions."""

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from margin.core.types import Bools, Floats, Indices
from margin.inference import Expectation, Repaired
from margin.native.chains.messages import log_forward_backward
from margin.optim import LBFGS, Function, minimise
from margin.sequence.hidden_markov._mass import (
    lost_told,
    refuse_impossible,
    with_mass,
    without_mass,
)
from margin.sequence.hidden_markov.emissions._emission import Emission


@dataclass(frozen=True)
class Driven:
    """Start (K,), coefficients (K, K, p + 1) of the transitions, constant first, and laws."""

    start: Floats
    coef: Floats
    laws: Any
    reseeded: tuple[int, ...] = ()

    def log_transition(self, inputs: Floats) -> Floats:
        """Log probabilities of shape (T, K, K); the matrix of a row leads to the next row."""
        ahead = np.concatenate([inputs[1:], inputs[:1]])
        design = np.column_stack([np.ones(len(ahead)), ahead])
        logits = np.einsum("tp,ijp->tij", design, self.coef)
        logits -= logits.max(axis=2, keepdims=True)
        return np.ascontiguousarray(logits - np.log(np.exp(logits).sum(axis=2, keepdims=True)))


class DrivenCounts(NamedTuple):
    """Expected statistics of a pass over the data."""

    first: Floats
    pairs: Floats
    laws: Any
    lost: tuple[int, ...] = ()


@dataclass(frozen=True)
class InputLearning:
    """Data and settings of a fit; ``alpha`` is the penalty of the coefficients.

    ``allowed`` are states that a row may be in, (T, K); ``weight`` is of the sequences.
    """

    emission: Emission
    rows: Floats
    inputs: Floats
    offsets: Indices
    alpha: float
    n_threads: int
    allowed: Bools | None = None
    weight: Floats | None = None

    def log_emission(self, at: Driven) -> Floats:
        """Log likelihood of every row in every state that it may be in."""
        table = self.emission.log_prob(at.laws, self.rows, self.n_threads)
        return table if self.allowed is None else np.where(self.allowed, table, -np.inf)

    def smooth(self, at: Driven) -> tuple[Floats, Floats, Floats]:
        """Posterior, log likelihoods and pairwise marginals."""
        table = self.log_emission(at)
        with np.errstate(divide="ignore"):
            start = np.log(at.start)
        steps = at.log_transition(self.inputs)
        share, _, values, pairs = log_forward_backward(
            table, self.offsets, start, steps, self.n_threads, pairs=True
        )
        assert pairs is not None
        pairs[self.offsets[1:][np.diff(self.offsets) > 0] - 1] = 0.0
        return share, values, pairs

    def expect(self, at: Driven) -> Expectation[DrivenCounts]:
        """The E step."""
        share, values, pairs = self.smooth(at)
        refuse_impossible(values)
        total = float(values.sum())
        if self.weight is not None:
            each = np.repeat(self.weight, np.diff(self.offsets))
            share, pairs = share * each[:, None], pairs * each[:, None, None]
            total = float(self.weight @ values)
        first = share[self.offsets[:-1][np.diff(self.offsets) > 0]].sum(axis=0)
        visits = share.sum(axis=0)
        lost = without_mass(visits)
        if len(lost):
            # The law of all rows: a second start, and never a fit to nothing.
            share = share.copy()
            share[:, lost] = share.sum(axis=1, keepdims=True) / visits.size
        laws = self.emission.statistics(at.laws, self.rows, share, self.n_threads)
        bound = total + self.emission.log_prior(at.laws)
        bound -= 0.5 * self.alpha * float((at.coef**2).sum())
        return Expectation(bound, DrivenCounts(first, pairs, laws, tuple(lost.tolist())))

    def maximise(self, counts: DrivenCounts, before: Driven) -> Driven | Repaired[Driven]:
        """The M step: a softmax regression out of every state; one without mass is told."""
        ahead = np.concatenate([self.inputs[1:], self.inputs[:1]])
        design = np.column_stack([np.ones(len(ahead)), ahead])
        coef = np.array(
            [_softmax(design, counts.pairs[:, i], self.alpha, w) for i, w in enumerate(before.coef)]
        )
        start = counts.first / counts.first.sum()
        new = tuple(k for k in counts.lost if k not in before.reseeded)
        after = Driven(start, coef, self.emission.fit(counts.laws), before.reseeded + new)
        if not new:
            return after
        begun = with_mass(start[None], np.ones((1, len(start)), dtype=bool), new)[0]
        coef = coef.copy()
        coef[:, list(new)] = 0.0
        return Repaired(replace(after, start=begun, coef=coef), lost_told(new, (), ()))


def _softmax(design: Floats, target: Floats, alpha: float, begin: Floats) -> Floats:
    """Coefficients (K, p + 1) for soft targets (T, K), from the last ones."""
    used = np.flatnonzero(target.sum(axis=1) > 0)
    A, Y = design[used], target[used]
    mass = Y.sum(axis=1)

    def objective(flat: Floats) -> tuple[float, Floats]:
        W = flat.reshape(begin.shape)
        logits = A @ W.T
        logits -= logits.max(axis=1, keepdims=True)
        total = np.log(np.exp(logits).sum(axis=1, keepdims=True))
        logs = logits - total
        slope = (np.exp(logs) * mass[:, None] - Y).T @ A + alpha * W
        return float(-(Y * logs).sum() + 0.5 * alpha * (W**2).sum()), slope.ravel()

    solver = LBFGS(1e-6 * max(1.0, float(mass.sum())), 100)
    solution = minimise(Function(objective, begin.size), solver, x0=begin.ravel())
    return np.asarray(solution.x).reshape(begin.shape)
