"""Kernel machines as box duals, and a trained one as a value."""

from dataclasses import dataclass

import numpy as np

from margin.core import Solution
from margin.core.types import Floats, Indices
from margin.optim.duals._box_dual import BoxDual
from margin.optim.duals._gram import Gram


@dataclass(frozen=True, eq=False)
class Machine:
    """One trained function.

    Parameters
    ----------
    coef : ndarray of shape (n,), coefficient of every row.
    bias : float
    scores : ndarray of shape (n,), values at the training rows without the bias.
    bound : ndarray of shape (n,), largest size that each coefficient may have.
    solution : Solution
    """

    coef: Floats
    bias: float
    scores: Floats
    bound: Floats
    solution: Solution

    @property
    def decision(self) -> Floats:
        """Values at the training rows."""
        return self.scores + self.bias


def soft_margin(
    gram: Gram,
    sign: Floats,
    bound: Floats,
    start: Floats | None = None,
    rows: Indices | None = None,
) -> BoxDual:
    r"""Dual of :math:`\tfrac12 \|w\|^2 + \sum_i C_i (1 - y_i f(x_i))_+` (svm.02, svm.03).

    Parameters
    ----------
    gram : Gram
    sign, bound : ndarray of shape (m,), labels of +1 and -1 and prices :math:`C_i`.
    start : ndarray of shape (m,), where to begin; zeros by default.
    rows : ndarray of int, shape (m,), their rows of the matrix; all by default.
    """
    lower, upper = np.where(sign > 0, 0.0, -bound), np.where(sign > 0, bound, 0.0)
    start = np.zeros(len(sign)) if start is None else start
    return BoxDual(gram, sign.astype(np.float64), lower, upper, start, rows=rows)


def tube(
    gram: Gram, y: Floats, bound: Floats, epsilon: float, start: Floats | None = None
) -> BoxDual:
    r"""Dual of :math:`\tfrac12 \|w\|^2 + \sum_i C_i (|y_i - f(x_i)| - \epsilon)_+` (svm.15)."""
    n = len(y)
    return BoxDual(
        gram,
        np.concatenate([y - epsilon, y + epsilon]),
        np.concatenate([np.zeros(n), -bound]),
        np.concatenate([bound, np.zeros(n)]),
        np.zeros(2 * n) if start is None else start,
        rows=np.arange(2 * n) % n,
    )
