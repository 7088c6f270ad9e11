"""Epochs of the perceptron's corrections."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from margin import optim
from margin.core import DistinctRows
from margin.core.types import Array, Bools, Floats, Indices, Places
from margin.native.rows.perceptron import Best, perceptron_epoch
from margin.native.rows.row_order import shuffled


@dataclass(frozen=True)
class Rule:
    """How rows are corrected.

    Parameters
    ----------
    schedule : Schedule
        Sizes of the increments.
    batch : bool
        Whether all errors are corrected at once, by the sum over them.
    shuffle : bool
        Whether every epoch has a random order of its own.
    seed : int
        Of those orders.
    """

    schedule: optim.Schedule
    batch: bool = False
    shuffle: bool = False
    seed: int = 0

    def order(self, visits: Indices, epoch: int) -> Indices:
        """Rows in the order of one epoch."""
        if not self.shuffle:
            return visits
        return shuffled(visits, (self.seed * 0x9E3779B97F4A7C15) ^ (epoch * 0xD1B54A32D192ED03))


@dataclass(frozen=True)
class Examples:
    """Rows, classes as codes, the rows to visit, and a factor for the weight of each row."""

    X: Any
    code: Indices
    table: DistinctRows
    intercept: bool
    factor: Floats | None = None

    @property
    def weight(self) -> Floats | None:
        """Weight of every row's increments."""
        if self.factor is None:
            return self.table.weight
        return self.factor if self.table.weight is None else self.factor * self.table.weight

    def scores(self, w: Floats) -> Floats:
        """One column per row of ``w``."""
        return np.asarray(self.X @ w[:, :-1].T) + w[:, -1]

    def unsettled(self, w: Floats) -> Bools:
        """Rows that are not strictly on their own side: those a step would correct."""
        scores = self.scores(w)
        if w.shape[0] == 1:
            return np.asarray(np.where(self.code == 1, scores[:, 0], -scores[:, 0]) <= 0)
        own = np.take_along_axis(scores, self.code[:, None], axis=1)[:, 0]
        np.put_along_axis(scores, self.code[:, None], -np.inf, axis=1)
        return np.asarray(own <= scores.max(axis=1))

    def error_share(self, w: Floats) -> float:
        """Weighted share of the rows whose prediction is wrong."""
        codes: Any = 0  # what all scores of zero stand for
        if w.any():
            scores = self.scores(w)
            codes = scores[:, 0] > 0 if w.shape[0] == 1 else scores.argmax(axis=1)
        wrong = (codes != self.code)[self.table.visits]
        return float(np.average(wrong, weights=self.visit_weight))

    @property
    def total_weight(self) -> float:
        """Weight of all rows to visit."""
        weight = self.visit_weight
        return float(len(self.table.visits) if weight is None else weight.sum())

    @property
    def visit_weight(self) -> Floats | None:
        """Weights of the rows to visit."""
        return None if self.weight is None else self.weight[self.table.visits]


@dataclass(frozen=True)
class Corrections:
    """Weights of shape (1 or K, p + 1), intercepts last, with what they are made of.

    Parameters
    ----------
    w : ndarray of shape (1 or K, p + 1)
        The weights.
    dual : ndarray of shape (n, 1 or K)
        Sum of the increments at every row: ``w = dual.T @ [X, 1]`` from a start at zero.
    mistakes : ndarray of shape (n,)
        Corrections made at every row.
    total, dual_total : ndarray or None
        What has to be taken off for the mean of the weights over all visits.
    n_corrections, n_visits, n_epochs : int
        Corrections, visits of a row, and epochs so far.
    """

    w: Floats
    dual: Floats
    mistakes: Indices
    total: Floats | None = None
    dual_total: Floats | None = None
    n_corrections: int = 0
    n_visits: int = 0
    n_epochs: int = 0

    @classmethod
    def none(cls, n: int, n_outputs: int, size: int, average: bool) -> Corrections:
        """No correction yet."""
        w, dual = np.zeros((n_outputs, size)), np.zeros((n, n_outputs))
        totals = (w.copy(), dual.copy()) if average else (None, None)
        return cls(w, dual, np.zeros(n, dtype=np.int64), *totals)

    @property
    def weights(self) -> Floats:
        """The answer: the last weights, or their mean over the visits."""
        if self.total is None or not self.n_visits:
            return self.w.copy()
        return self.w - self.total / self.n_visits

    @property
    def dual_weights(self) -> Floats:
        """The same, as increments per row."""
        if self.dual_total is None or not self.n_visits:
            return self.dual.copy()
        return self.dual - self.dual_total / self.n_visits

    def resumed(self, last: Corrections) -> Corrections:
        """The weights and the counts that an earlier search ended with, for these rows."""
        averaged = self.total is not None and last.total is not None
        return replace(
            self,
            w=last.w,
            total=last.total if averaged else self.total,
            n_corrections=last.n_corrections,
            n_visits=last.n_visits,
            n_epochs=last.n_epochs,
        )

    def _writable(self) -> Corrections:
        """A copy whose arrays nobody else holds; by position, since epochs may be short."""
        return Corrections(
            self.w.copy(),
            self.dual.copy(),
            self.mistakes.copy(),
            None if self.total is None else self.total.copy(),
            None if self.dual_total is None else self.dual_total.copy(),
            self.n_corrections,
            self.n_visits,
            self.n_epochs,
        )

    def _counted(self, corrections: int, visits: int) -> Corrections:
        return Corrections(
            self.w,
            self.dual,
            self.mistakes,
            self.total,
            self.dual_total,
            self.n_corrections + corrections,
            self.n_visits + visits,
            self.n_epochs + 1,
        )


def epoch(examples: Examples, state: Corrections, rule: Rule) -> Corrections:
    """One epoch of the rule."""
    if rule.batch:
        return batch_epoch(examples, state, rule)
    return stochastic_epoch(examples, state, rule)


def stochastic_epoch(
    examples: Examples, state: Corrections, rule: Rule, best: Best | None = None
) -> Corrections:
    """Visit every row once, correcting as it goes (linear.29), keeping the best weights."""
    order = rule.order(examples.table.visits, state.n_epochs)
    k = np.arange(state.n_corrections, state.n_corrections + len(order), dtype=np.float64)
    after = state._writable()
    corrections = perceptron_epoch(
        examples.X,
        examples.code,
        examples.weight,
        order,
        np.ascontiguousarray(rule.schedule.rate(k)),
        examples.intercept,
        after.w,
        after.dual,
        after.mistakes,
        total=after.total,
        dual_total=after.dual_total,
        elapsed=float(state.n_visits),
        best=best,
    )
    return after._counted(corrections, len(order))


def batch_epoch(examples: Examples, state: Corrections, rule: Rule) -> Corrections:
    """Correct all errors at once, by the sum over them (linear.28)."""
    wrong = np.intersect1d(np.flatnonzero(examples.unsettled(state.w)), examples.table.visits)
    after = state._writable()
    if len(wrong):
        change = _increments(examples, state, wrong, float(rule.schedule.rate(state.n_epochs)))
        step = increment(examples, wrong, change)
        after.w[:] += step
        after.dual[wrong] += change
        after.mistakes[wrong] += 1
        if after.total is not None and after.dual_total is not None:
            after.total[:] += state.n_epochs * step
            after.dual_total[wrong] += state.n_epochs * change
    return after._counted(len(wrong), 1)


def increment(examples: Examples, rows: Places, change: Floats) -> Floats:
    """What changes of the dual weights at some rows add to the weights."""
    slopes = np.asarray(examples.X[rows].T @ change).T
    levels = change.sum(axis=0) * examples.intercept
    return np.column_stack([slopes, levels])


def _increments(examples: Examples, state: Corrections, wrong: Places, step: float) -> Floats:
    """Signed increments of the rows that are wrong; equal rivals share theirs (linear.31)."""
    weight, code = examples.weight, examples.code[wrong]
    amount: Array = np.full(len(wrong), step) if weight is None else step * weight[wrong]
    change = np.zeros((len(wrong), state.w.shape[0]))
    if state.w.shape[0] == 1:
        change[:, 0] = np.where(code == 1, amount, -amount)
        return change
    scores = np.asarray(examples.X[wrong] @ state.w[:, :-1].T) + state.w[:, -1]
    np.put_along_axis(scores, code[:, None], -np.inf, axis=1)
    rivals = scores == scores.max(axis=1, keepdims=True)
    change -= amount[:, None] * rivals / rivals.sum(axis=1, keepdims=True)
    change[np.arange(len(wrong)), code] = amount
    return change
