"""Segments seen as a chain of states and ages: what is known now, and what comes next."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from margin.core.types import Floats, Indices


@dataclass(frozen=True)
class AgedChain:
    r"""A chain over pairs of a state and the steps that it has lasted.

    .. math:: p(a + 1 \mid k, a) = \frac{S_k(a + 1)}{S_k(a)}, \qquad S_k(a) = p(d_k \ge a)

    Otherwise the segment ends, and another state begins with age 1.

    Parameters
    ----------
    start, transition : ndarray of shape (K,), (K, K)
    duration : ndarray of shape (K, D)
    """

    start: Floats
    transition: Floats
    duration: Floats

    @cached_property
    def _ends(self) -> Floats:
        """Probability (K, D) that a segment of an age ends there."""
        reach = np.cumsum(self.duration[:, ::-1], axis=1)[:, ::-1]
        ends = np.where(reach > 0, self.duration / np.where(reach > 0, reach, 1.0), 1.0)
        if len(self.start) == 1:
            ends = np.zeros_like(ends)  # there is no other state to go to
        return np.asarray(np.minimum(ends, 1.0))

    @property
    def first(self) -> Floats:
        """Belief (K, D) before anything is seen."""
        belief = np.zeros(self.duration.shape)
        belief[:, 0] = self.start
        return belief

    def moved(self, belief: Floats) -> Floats:
        """Belief a step later."""
        ended = belief * self._ends
        after = np.empty_like(belief)
        after[:, 1:] = (belief - ended)[:, :-1]
        after[:, 0] = ended.sum(axis=1) @ self.transition
        after[:, -1] += (belief - ended)[:, -1]  # only of a state that never ends
        return after

    def filtered(self, table: Floats, offsets: Indices) -> tuple[Floats, list[Floats]]:
        """States given what was seen so far (T, K), and the belief at the first step after each.

        ``table`` are log likelihoods; rows after one that is impossible are zero.
        """
        states, ahead = np.zeros(table.shape), []
        for first, last in pairwise(offsets):
            belief = self.first
            for t in range(first, last):
                top = float(table[t][belief.any(axis=1)].max(initial=-np.inf))
                if top == -np.inf:
                    break
                joint = belief * np.exp(np.minimum(table[t] - top, 0.0))[:, None]
                joint /= joint.sum()
                states[t] = joint.sum(axis=1)
                belief = self.moved(joint)
            ahead.append(belief)
        return states, ahead

    def expected(self, belief: Floats, steps: int) -> Floats:
        """States (steps, K) from the step of the belief on, nothing seen."""
        states = []
        for _ in range(steps):
            states.append(belief.sum(axis=1))
            belief = self.moved(belief)
        return np.array(states).reshape(steps, len(self.start))
