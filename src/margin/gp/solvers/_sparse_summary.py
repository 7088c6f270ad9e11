"""One pass over the rows of a sparse process."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import blas

from margin.core.types import Floats
from margin.gp.solvers._inducing_rows import InducingRows
from margin.linalg import Cholesky, kernel_cholesky

_LOG_2PI = float(np.log(2 * np.pi))


@dataclass(frozen=True, eq=False)
class Summary:
    r"""What one pass over the rows leaves: everything else is small.

    Parameters
    ----------
    rows : InducingRows
    rhs : ndarray of shape (n, k + r)
        :math:`R = [Y, H]`.
    inner : Cholesky
        Factor of :math:`B = I + V\Lambda^{-1}V^\top`.
    W : ndarray of shape (m, k + r)
        :math:`B^{-1} V \Lambda^{-1} R`, so that
        :math:`(Q + \Lambda)^{-1} R = \Lambda^{-1}(R - V^\top W)`.
    mix : ndarray of shape (k + r, k + r)
        Combines these columns to :math:`[\alpha, \sqrt k F]`, as in the exact solver.
    basis : Cholesky or None
        Factor of the precision of the coefficients of the mean.
    beta : ndarray of shape (r, k)
        These coefficients.
    value : float
        Log marginal likelihood, or the bound.
    """

    rows: InducingRows
    rhs: Floats
    inner: Cholesky
    W: Floats
    mix: Floats
    basis: Cholesky | None
    beta: Floats
    value: float

    @classmethod
    def of(cls, rows: InducingRows) -> Summary:
        """Sum over the rows."""
        seen = rows.seen
        m, (n, k), rank = len(rows.Z), seen.Y.shape, seen.H.shape[1]
        rhs = np.hstack([seen.Y, seen.H])
        B = np.asfortranarray(np.eye(m))
        mixed, squares = np.zeros((m, k + rank)), np.zeros((k + rank, k + rank))
        log_lam = trace = 0.0
        for part, V, lam, missing in rows.blocks():
            B = _add_products(B, V, lam)
            scaled = rhs[part] / lam[:, None]
            mixed += blas.dgemm(1.0, V, scaled)
            squares += rhs[part].T @ scaled
            log_lam += float(np.sum(np.log(lam)))
            trace += 0.0 if rows.fitc else float(np.sum(missing / lam))
        inner = kernel_cholesky(np.tril(B) + np.tril(B, -1).T, "the inducing points")
        W = inner.solve(mixed)
        gram = squares - mixed.T @ W
        value = -0.5 * k * ((n - rank) * _LOG_2PI + log_lam + inner.log_det + trace)
        basis, beta, mix = None, np.empty((0, k)), np.eye(k + rank)
        if rank:
            basis = kernel_cholesky(gram[k:, k:].copy(), "the mean")
            beta = basis.solve(gram[k:, :k])
            mix[k:, :k] = -beta
            mix[k:, k:] = np.sqrt(k) * basis.half_solve(np.eye(rank), transpose=True)
            value -= 0.5 * k * basis.log_det
        value -= 0.5 * float(np.trace(gram[:k, :k] - gram[:k, k:] @ beta))
        return cls(rows, rhs, inner, W, mix, basis, beta, value)


def _add_products(B: Floats, V: Floats, lam: Floats) -> Floats:
    r"""Lower triangle of :math:`B + V\Lambda^{-1}V^\top`, in the memory of ``B``."""
    if lam.size and np.ptp(lam) == 0:
        product = blas.dsyrk(1.0 / lam[0], V, beta=1.0, c=B, lower=1, overwrite_c=1)
    else:
        product = blas.dsyrk(1.0, V / np.sqrt(lam), beta=1.0, c=B, lower=1, overwrite_c=1)
    return np.asarray(product)
