"""Epochs of stochastic (sub)gradient steps over the rows of a linear model."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

SQUARED, LOGISTIC, HINGE, SQUARED_HINGE, PERCEPTRON, HUBER, INSENSITIVE = range(7)
MODIFIED_HUBER, SQUARED_INSENSITIVE = 7, 8

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Rows:
    """Rows ``x``, targets ``y`` and a loss of ``w @ x + b``, as the compiled epochs take them.

    Parameters
    ----------
    loss : int
        One of the constants of this module.
    shape : float
        Where a Huber loss becomes linear, half the width of an insensitive tube.
    X : ndarray of shape (n, p), C-ordered, or CSR matrix
        float32 or float64. Column indices are trusted; those of a row must be distinct.
    y : ndarray of shape (n,)
        0/1 for the logistic loss, any sign for the losses of the margin, numbers otherwise.
    weight : ndarray of shape (n,) or None
        Factor of every loss.
    """

    loss: int
    shape: float
    X: Any
    y: Floats
    weight: Floats | None

    @property
    def storage(self) -> str:
        """Suffix of the compiled functions: ``"dense"`` or ``"sparse"``."""
        return "dense" if isinstance(self.X, np.ndarray) else "sparse"

    def call(self, name: str, *arguments: Any, head: tuple[Any, ...] = ()) -> Any:
        """Call the compiled function for this storage: head, loss, matrix, targets, arguments."""
        X = self.X
        if isinstance(X, np.ndarray):
            dense = getattr(_native, name + "_dense")
            return dense(*head, self.loss, self.shape, X, self.y, self.weight, *arguments)
        parts = (X.indptr, X.indices, X.data)
        sparse = getattr(_native, name + "_sparse")
        return sparse(*head, self.loss, self.shape, *parts, self.y, self.weight, *arguments)


def sgd_epoch(
    rows: Rows,
    order: Indices,
    batch: int,
    rate: Floats,
    l1: float,
    l2: float,
    intercept: bool,
    w: Floats,
    mean: Floats | None = None,
    mix: Floats | None = None,
    *,
    paid: Floats | None = None,
    passive: int = 0,
) -> None:
    """Visit rows in ``order``, ``batch`` at a time, moving ``w`` (intercept last) in place.

    Step ``k`` is ``w <- max(0, 1 - rate[k] l2) w - rate[k] g`` with the mean gradient ``g`` of the
    batch; then every weight pays towards zero what it still owes of the absolute penalty, of which
    ``rate[k] l1`` more is due at each step (Tsuruoka, Tsujii and Ananiadou 2009): so noise leaves
    no weight beside zero. ``paid`` keeps the account over several calls: what each weight has
    given, with its sign, and last what was due. Then ``mean <- mean + mix[k] (w - mean)`` where an
    average is kept. ``passive`` of 1 or 2 makes passive-aggressive steps of one row, no longer than
    ``rate[k]`` or damped by it. Sparse rows cost what they store, except when an average is kept
    under an absolute penalty.
    """
    rows.call("sgd", order, batch, rate, mix, l1, l2, intercept, passive, w, mean, paid)
