"""Rows in blocks, replaced by as few as there are columns that give the same least squares."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import linalg

from margin.core import Blocks, check
from margin.core.types import Floats
from margin.linear._labelled_blocks import checked_blocks
from margin.linear.regression._least_squares_fit import LeastSquaresFit, fit_least_squares


@dataclass(frozen=True, eq=False)
class CompressedRows:
    r"""The triangular factor of weighted rows :math:`\sqrt s (1, x, y)`, and what they weigh.

    Parameters
    ----------
    factor : ndarray of shape (m, 1 + p + k)
        :math:`R` with :math:`R^\top R` the products of all columns.
    n_targets : int
        :math:`k`.
    weight : float
        Sum of the weights.
    single : bool
        Whether the targets came as one vector.
    """

    factor: Floats
    n_targets: int
    weight: float
    single: bool

    @classmethod
    def of(cls, owner: Any, blocks: Any) -> "CompressedRows":
        """One orthogonal elimination per block: the digits are those of the rows themselves."""
        factor, total, n_targets, single = np.empty((0, 0)), 0.0, 1, True
        for X, y, weight in checked_blocks(owner, Blocks.of(owner, blocks), multi_output=True):
            targets = y.reshape(len(y), -1)
            rows = np.hstack([np.ones((len(y), 1)), X, targets]).astype(np.float64, copy=False)
            if weight is not None:
                rows *= np.sqrt(weight)[:, None]
            if len(factor) and factor.shape[1] != rows.shape[1]:
                need = f"of {n_targets} targets, as in the first block"
                raise check.fail(owner, "blocks", need, targets.shape[1])
            stacked = np.vstack([factor, rows]) if len(factor) else rows
            factor = linalg.qr(stacked, mode="r", overwrite_a=True, check_finite=False)[0]
            factor = factor[: stacked.shape[1]]
            total += float(len(y)) if weight is None else float(weight.sum())
            n_targets, single = targets.shape[1], y.ndim == 1
        return cls(factor, n_targets, total, single)

    def fit(
        self, alpha: Floats, *, intercept: bool, method: str, n_threads: int, owner: str
    ) -> LeastSquaresFit:
        """Least squares of all the rows.

        With an intercept the first row of the factor holds the means; the others are the centred
        rows, turned.
        """
        p = self.factor.shape[1] - 1 - self.n_targets
        rows = self.factor[1:] if intercept else self.factor
        few = fit_least_squares(
            np.ascontiguousarray(rows[:, 1 : p + 1]),
            np.ascontiguousarray(rows[:, p + 1 :]),
            None,
            alpha,
            intercept=False,
            method=method,
            n_threads=n_threads,
            owner=owner,
        )
        means = self.factor[0, 1:] / self.factor[0, 0]
        centre = means[:p] if intercept else np.zeros(p)
        inverses = tuple(
            None if kept is None else replace(kept, centre=centre)  # type: ignore[type-var]
            for kept in few.law.inverses
        )
        law = replace(few.law, inverses=inverses, count=self.weight, intercept=intercept)
        level = means[p:] - few.coef @ means[:p] if intercept else np.zeros(self.n_targets)
        return replace(
            few,
            coef=few.coef[0] if self.single else few.coef,
            intercept=0.0 if not intercept else level[0] if self.single else level,
            law=law,
        )
