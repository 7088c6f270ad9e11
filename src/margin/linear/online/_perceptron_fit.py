"""The search of the perceptron: epochs of corrections, the best weights kept."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin import optim
from margin.core import Certificate, DistinctRows, Solution, Status
from margin.core.progress import Callback
from margin.native.rows.perceptron import perceptron_epoch
from margin.native.rows.row_order import shuffled

Floats = NDArray[np.float64]


@dataclass
class Corrections:
    """Weights of shape (1 or K, p + 1), intercepts last, with what they are made of.

    ``dual`` holds the sum of the increments at every row, so that ``w = dual.T @ [X, 1]`` from a
    start at zero; ``total`` and ``dual_total`` hold what has to be taken off for the mean of the
    weights over all visits.
    """

    w: Floats
    dual: Floats
    mistakes: NDArray[np.int64]
    total: Floats | None = None
    dual_total: Floats | None = None
    made: int = 0
    visits: int = 0
    epochs: int = 0

    @classmethod
    def none(cls, n: int, n_outputs: int, size: int, average: bool) -> "Corrections":
        """No correction yet."""
        w, dual = np.zeros((n_outputs, size)), np.zeros((n, n_outputs))
        totals = (w.copy(), dual.copy()) if average else (None, None)
        return cls(w, dual, np.zeros(n, dtype=np.int64), *totals)

    @property
    def weights(self) -> Floats:
        """The answer: the last weights, or their mean over the visits."""
        if self.total is None or not self.visits:
            return self.w.copy()
        return self.w - self.total / self.visits

    @property
    def dual_weights(self) -> Floats:
        """The same, as increments per row."""
        if self.dual_total is None or not self.visits:
            return self.dual.copy()
        return self.dual - self.dual_total / self.visits


@dataclass(frozen=True)
class Examples:
    """Rows, classes as codes, weights, and the rows to visit."""

    X: Any
    code: NDArray[np.int64]
    table: DistinctRows
    intercept: bool
    factor: Floats | None = field(default=None)

    @property
    def weight(self) -> Floats | None:
        """Weight of every row's increments."""
        if self.factor is None:
            return self.table.weight
        return self.factor if self.table.weight is None else self.factor * self.table.weight

    def errors(self, w: Floats) -> NDArray[np.bool_]:
        """Rows, of those visited, that are not strictly on their own side."""
        scores = np.asarray(self.X @ w[:, :-1].T) + w[:, -1]
        code = self.code
        if w.shape[0] == 1:
            wrong = np.where(code == 1, scores[:, 0], -scores[:, 0]) <= 0
        else:
            own = np.take_along_axis(scores, code[:, None], axis=1)[:, 0]
            np.put_along_axis(scores, code[:, None], -np.inf, axis=1)
            wrong = own <= scores.max(axis=1)
        return np.asarray(wrong)

    def error_share(self, w: Floats) -> float:
        """Weighted share of errors."""
        visits, weight = self.table.visits, self.weight
        wrong = self.errors(w)[visits]
        if weight is None:
            return float(wrong.mean())
        return float(weight[visits] @ wrong / weight[visits].sum())


def stochastic_epoch(
    examples: Examples, state: Corrections, schedule: optim.Schedule, seed: int, shuffle: bool
) -> int:
    """Visit every row once, correcting as it goes; the number of corrections."""
    order = examples.table.visits
    if shuffle:
        order = shuffled(order, (seed * 0x9E3779B97F4A7C15) ^ (state.epochs * 0xD1B54A32D192ED03))
    k = np.arange(state.made, state.made + len(order), dtype=np.float64)
    made = perceptron_epoch(
        examples.X,
        examples.code,
        examples.weight,
        order,
        np.ascontiguousarray(schedule.rate(k)),
        examples.intercept,
        state.w,
        state.dual,
        state.mistakes,
        total=state.total,
        dual_total=state.dual_total,
        elapsed=float(state.visits),
    )
    state.made += made
    state.visits += len(order)
    state.epochs += 1
    return made


def batch_epoch(examples: Examples, state: Corrections, schedule: optim.Schedule) -> int:
    """Correct all errors at once, by the sum over them (linear.28); the number of errors."""
    wrong = np.intersect1d(np.flatnonzero(examples.errors(state.w)), examples.table.visits)
    made = len(wrong)
    if made:
        step = float(schedule.rate(state.epochs))
        weight = examples.weight
        amount = np.full(made, step) if weight is None else step * weight[wrong]
        change = np.zeros((made, state.w.shape[0]))
        code = examples.code[wrong]
        if state.w.shape[0] == 1:
            change[:, 0] = np.where(code == 1, amount, -amount)
        else:
            scores = np.asarray(examples.X[wrong] @ state.w[:, :-1].T) + state.w[:, -1]
            np.put_along_axis(scores, code[:, None], -np.inf, axis=1)
            rivals = scores == scores.max(axis=1, keepdims=True)
            change -= amount[:, None] * rivals / rivals.sum(axis=1, keepdims=True)
            change[np.arange(made), code] = amount
        state.w[:, :-1] += np.asarray(examples.X[wrong].T @ change).T
        if examples.intercept:
            state.w[:, -1] += change.sum(axis=0)
        state.dual[wrong] += change
        state.mistakes[wrong] += 1
        if state.total is not None and state.dual_total is not None:
            state.total[:, :-1] += state.epochs * np.asarray(examples.X[wrong].T @ change).T
            state.total[:, -1] += state.epochs * change.sum(axis=0) * examples.intercept
            state.dual_total[wrong] += state.epochs * change
    state.made += made
    state.visits += 1
    state.epochs += 1
    return made


def learn(
    examples: Examples,
    state: Corrections,
    schedule: optim.Schedule,
    *,
    batch: bool,
    max_iter: int,
    tol: float | None,
    patience: int,
    seed: int,
    shuffle: bool,
    callback: Callback | None = None,
) -> Solution:
    """Epochs until one makes no correction, or the share of errors no longer falls.

    The weights of the fewest errors are the answer: those of the last epoch when nothing is left
    to correct.
    """
    lowest = first = examples.error_share(state.weights)
    best, best_dual = state.weights, state.dual_weights
    mistakes, shares, quiet = state.mistakes.copy(), [first], 0
    status, message, epochs = Status.MAX_ITER, "", 0
    while epochs < max_iter:
        try:
            made = (
                batch_epoch(examples, state, schedule)
                if batch
                else stochastic_epoch(examples, state, schedule, seed, shuffle)
            )
            epochs += 1
            share = examples.error_share(state.weights)
            shares.append(share)
            if callback is not None:
                callback(epochs, share)
        except KeyboardInterrupt:
            message = f"interrupted after {epochs} epochs"
            break
        quiet = 0 if tol is None or lowest - share > tol else quiet + 1
        if share < lowest or (made == 0 and share <= lowest) or epochs == 1:
            lowest, best, best_dual = share, state.weights, state.dual_weights
            mistakes = state.mistakes.copy()
        if made == 0 or (tol is not None and quiet >= patience):
            status = Status.CONVERGED
            break
    done = status.ok and quiet < patience
    certificate = (
        Certificate("share of training errors", lowest, 0.0)
        if lowest == 0.0 or tol is None or not status.ok or done
        else Certificate("decrease of the share of errors per epoch", 0.0, tol)
    )
    return Solution(
        x=best,
        status=status,
        n_iter=epochs,
        objective=lowest,
        trace={"objective": np.array([*shares[:-1], lowest])},
        certificate=certificate,
        solver="batch perceptron" if batch else "stochastic perceptron",
        message=message,
        extras={"dual": best_dual, "mistakes": mistakes},
    )
