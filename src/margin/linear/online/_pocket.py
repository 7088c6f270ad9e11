"""The best weights that a perceptron has had, and what it found out on the way."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from margin.core.types import Floats, Indices
from margin.linear.online._corrections import Corrections, Examples, Rule, epoch, stochastic_epoch
from margin.native.rows.perceptron import Best

_FEW_ROWS = 100  # up to here the weights after every single correction are held against all rows


@dataclass(frozen=True)
class Pocket:
    """The best weights so far (Gallant's pocket), and the longest run of right answers so far.

    Parameters
    ----------
    w, dual, mistakes : ndarray
        As in :class:`Corrections`.
    share : float
        Weighted share of wrong predictions.
    longest_run : int
        Most visits between two corrections.
    looks : int
        How many weights were held against all rows so far.

    References
    ----------
    Gallant, Perceptron-based learning algorithms, 1990.
    """

    w: Floats
    dual: Floats
    mistakes: Indices
    share: float
    longest_run: int = 0
    looks: int = 0

    @classmethod
    def empty(cls, state: Corrections) -> Pocket:
        """No weights worth keeping yet; where nothing follows, those of the state."""
        return cls(state.weights, state.dual_weights, state.mistakes, np.inf)

    def offered(self, examples: Examples, state: Corrections) -> Pocket:
        """The better of these weights and those of a state; the later of equals."""
        weights = state.weights
        share = examples.error_share(weights)
        if share > self.share:
            return replace(self, looks=self.looks + 1)
        dual, mistakes = state.dual_weights, state.mistakes
        return Pocket(weights, dual, mistakes, share, self.longest_run, self.looks + 1)


def pocket_epoch(
    examples: Examples, state: Corrections, rule: Rule, pocket: Pocket, judge: Examples
) -> tuple[Corrections, Pocket, float]:
    """One epoch, the pocket after it, and the share of errors of the weights at its end.

    Of few rows the weights after every correction are tried. Of many those at the end of the epoch
    and those that were right for longer than any before: each trial costs as much as an epoch, and
    a record is broken ever more rarely. Weights that are right for a run of visits are likely to
    be right for most rows (the ratchet of Gallant): in a random order a run of m is as likely as
    the m-th power of the share of right answers. A run of up to log2(n) tells nothing: tossing a
    coin for every answer has one like it in n visits.

    Parameters
    ----------
    examples : Examples
        Rows to correct.
    state : Corrections
    rule : Rule
    pocket : Pocket
    judge : Examples
        Rows that weights are judged by: ``examples``, or some that were set aside.
    """
    if rule.batch or state.total is not None or judge is not examples:
        after = epoch(examples, state, rule)
        pocket = pocket.offered(judge, after)
        return after, pocket, judge.error_share(after.weights)
    total = examples.total_weight
    account = np.array([pocket.share * total, pocket.longest_run, np.inf, 0.0])
    few = len(examples.table.visits) <= _FEW_ROWS
    best = Best(pocket.w.copy(), pocket.dual.copy(), pocket.mistakes.copy(), account, every=few)
    after = stochastic_epoch(examples, state, rule, best)
    errors, run, last, looks = account.tolist()
    share, looks = errors / total, pocket.looks + int(looks)
    pocket = Pocket(best.w, best.dual, best.mistakes, share, int(run), looks)
    return after, pocket, last / total
