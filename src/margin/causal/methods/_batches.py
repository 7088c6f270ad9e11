"""Many small changes of a study answered together, from sums over the rows of each fold."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from margin.causal.methods._lines import solve_normal
from margin.core.types import Floats, Indices


@dataclass(frozen=True, eq=False)
class FoldedRows:
    """Rows in the order of their folds.

    Parameters
    ----------
    order : ndarray of shape (n,)
        Place of each row before.
    cuts : tuple of slice
        The folds.
    D : ndarray of shape (n, p)
        Columns of the regressions, with the one.
    weight : ndarray of shape (n,)
    """

    order: Indices
    cuts: tuple[slice, ...]
    D: Floats
    weight: Floats

    @classmethod
    def of(cls, D: Floats, weight: Floats, folds: Indices | None) -> "FoldedRows":
        """Rows sorted by fold; without folds, one of all rows that is its own training set."""
        if folds is None:
            return cls(np.arange(len(D)), (slice(0, len(D)),), D, weight)
        order = np.argsort(folds.astype(np.int16), kind="stable")
        ends = np.concatenate([[0], np.cumsum(np.bincount(folds))])
        cuts = tuple(slice(int(a), int(b)) for a, b in pairwise(ends))
        return cls(order, cuts, D[order], weight[order])

    def sums(self, left: Floats, right: Floats) -> tuple[Floats, Floats]:
        """Products of columns over the rows of each fold, and over the rows without it."""
        inside = np.stack([left[cut].T @ right[cut] for cut in self.cuts])
        total = inside.sum(axis=0)
        return inside, inside if len(self.cuts) == 1 else total - inside

    def changes(self, U: Floats, curvature: Floats, response: Floats) -> Floats:
        r"""What each further column, taken alone, adds to the predictions out of fold.

        By the theorem of Frisch and Waugh the column counts with what the others leave of it,
        :math:`\tilde u = u - D\gamma`, and gets the coefficient
        :math:`\tilde u^\top r / \tilde u^\top V \tilde u`.

        Parameters
        ----------
        U : ndarray of shape (n, k)
            Columns, in the order of the folds.
        curvature : ndarray of shape (n,)
            Weights V: those of the rows for least squares, times :math:`e(1-e)` for chances.
        response : ndarray of shape (n,)
            Weighted response, or residual, r.
        """
        vD = curvature[:, None] * self.D
        H, g = self.sums(vD, self.D)[1], self.sums(vD, U)[1]
        h = self.sums(curvature[:, None], U**2)[1][:, 0]
        s = self.sums(response[:, None], U)[1][:, 0]
        c = self.sums(self.D, response[:, None])[1]
        out = np.empty_like(U)
        for f, cut in enumerate(self.cuts):
            gamma = solve_normal(H[f], g[f])
            left = np.maximum(h[f] - (gamma * g[f]).sum(axis=0), 1e-300)
            slope = (s[f] - (gamma * c[f]).sum(axis=0)) / left
            out[cut] = (U[cut] - self.D[cut] @ gamma) * slope
        return out

    def placebo_slopes(self, T: Floats, residual: Floats) -> Floats:
        """Slopes of a residual on treatments, each cleared by least squares out of fold.

        Shuffled levels have no more to do with the columns than chance, and there least squares is
        what logistic regression is to first order.
        """
        wD, wT = self.weight[:, None] * self.D, self.weight[:, None] * T
        G_in, G = self.sums(wD, self.D)
        r_in, r = self.sums(wD, T)
        c = self.sums(wD, residual[:, None])[0]
        top, bottom = residual @ wT, (wT * T).sum(axis=0)
        for f in range(len(self.cuts)):
            beta = solve_normal(G[f], r[f])
            top = top - beta.T @ c[f][:, 0]
            bottom = bottom - (2 * beta * r_in[f]).sum(axis=0)
            bottom = bottom + (beta * (G_in[f] @ beta)).sum(axis=0)
        return np.asarray(top / bottom)


def placebo_log_odds(D: Floats, T: Floats, weight: Floats) -> Floats:
    r"""Logistic regressions of shuffled levels: one Newton step from the share of each.

    .. math:: \beta = \operatorname{logit}(p)\, e_1
        + \frac{(D^\top W D)^{-1} D^\top W (t - p)}{p (1 - p)}

    Exact up to the square of the step, which is of the order of the columns over the rows. ``T``
    and the answer have one row for every shuffle.

    Examples
    --------
    >>> D = np.column_stack([np.ones(4), [0.0, 1.0, 0.0, 1.0]])
    >>> placebo_log_odds(D, np.array([[0.0, 1.0, 1.0, 0.0]]), np.ones(4))
    array([[0., 0., 0., 0.]])
    """
    wD = weight[:, None] * D
    totals = wD.sum(axis=0)
    share = T @ weight / weight.sum()
    steps = solve_normal(wD.T @ D, (T @ wD - share[:, None] * totals).T) / (share * (1 - share))
    steps[0] += np.log(share / (1 - share))
    return np.asarray(steps.T @ D.T)
