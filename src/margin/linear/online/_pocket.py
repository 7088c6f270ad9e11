"""The weights of the perceptron that err least of all it passed through."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import sparse

from margin.core.types import Floats, Indices, Places
from margin.linear.online._corrections import Corrections, Examples, increment

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

    References
    ----------
    Gallant, Perceptron-based learning algorithms, 1990.
    """

    w: Floats
    dual: Floats
    mistakes: Indices
    share: float
    longest_run: int = 0

    @classmethod
    def empty(cls, state: Corrections) -> Pocket:
        """No weights worth keeping yet; where nothing follows, those of the state."""
        return cls(state.weights, state.dual_weights, state.mistakes, np.inf)

    def after(
        self, examples: Examples, before: Corrections, state: Corrections, order: Indices | None
    ) -> Pocket:
        """The pocket after an epoch that led from one state to another.

        Parameters
        ----------
        examples : Examples
        before, state : Corrections
            Start and end of the epoch.
        order : ndarray of int or None
            Rows in the order of their visits, for the weights between its corrections; ``None``
            where there are none, or where the answer is a mean.
        """
        pocket = self
        if order is not None:
            # A row is visited once in an epoch: those with one more mistake were corrected.
            visits = np.flatnonzero(state.mistakes[order] > before.mistakes[order])
            runs = np.diff(visits) - 1
            pocket = self._or_step(examples, before, state, order[visits], runs)
        return pocket._or(examples, state)

    def _or_step(
        self,
        examples: Examples,
        before: Corrections,
        state: Corrections,
        rows: Indices,
        runs: Places,
    ) -> Pocket:
        """The better of these weights and those between the corrections of some rows.

        Of few rows all are tried. Of many only those that were right for longer than any before:
        each trial costs as much as an epoch.
        """
        if not len(runs):
            return self
        if len(examples.table.visits) <= _FEW_ROWS:
            shares = _step_shares(examples, before, state, rows)[:-1]
            tried = [len(shares) - int(shares[::-1].argmin())]
        else:
            record = np.maximum.accumulate(np.append(self.longest_run, runs))
            tried = (np.flatnonzero(runs > record[:-1]) + 1).tolist()
        pocket = replace(self, longest_run=max(self.longest_run, int(runs.max())))
        for k in tried:
            pocket = pocket._or(examples, _after_corrections(examples, before, state, rows[:k]))
        return pocket

    def _or(self, examples: Examples, state: Corrections) -> Pocket:
        """The better of these weights and those of a state; the later of equals."""
        weights = state.weights
        share = examples.error_share(weights)
        if share > self.share:
            return self
        return Pocket(weights, state.dual_weights, state.mistakes, share, self.longest_run)


def _after_corrections(
    examples: Examples, before: Corrections, state: Corrections, rows: Indices
) -> Corrections:
    """Where an epoch stood once it had corrected these rows."""
    dual, mistakes = before.dual.copy(), before.mistakes.copy()
    dual[rows], mistakes[rows] = state.dual[rows], state.mistakes[rows]
    w = before.w + increment(examples, rows, dual[rows] - before.dual[rows])
    return Corrections(w, dual, mistakes)


def _step_shares(
    examples: Examples, before: Corrections, state: Corrections, rows: Indices
) -> Floats:
    """Share of errors after each of the corrections of an epoch."""
    change = state.dual[rows] - before.dual[rows]
    product = examples.X @ examples.X[rows].T
    product = product.toarray() if sparse.issparse(product) else np.asarray(product)
    product = product + float(examples.intercept)
    scores = np.cumsum(product[:, :, None] * change, axis=1)
    scores += examples.scores(before.w)[:, None, :]
    codes = scores[..., 0] > 0 if scores.shape[2] == 1 else scores.argmax(axis=2)
    wrong = (codes != examples.code[:, None])[examples.table.visits]
    return np.asarray(np.average(wrong, axis=0, weights=examples.visit_weight))
