"""The gradient of a sparse process, by a second pass over its rows."""

from typing import Any

import numpy as np
from scipy.linalg import blas

from margin.core.types import Floats
from margin.gp.solvers._inducing_rows import NUGGET
from margin.gp.solvers._sparse_summary import Summary


def sparse_gradient(summary: Summary, *, points: bool) -> tuple[Floats, Floats | None]:
    r"""Derivatives in the hyper-parameters and in the inducing points.

    Every term is a weighted sum of kernel derivatives. :math:`S = \sum aa^\top - k(Q +
    \Lambda)^{-1}` weighs the covariance of the targets. The weights of :math:`K_{uf}` are
    :math:`L_u^{-\top}[w a^\top - kB^{-1}V\Lambda^{-1} + VD]`, and those of :math:`K_{uu}` follow
    from them; :math:`D` is :math:`k\Lambda^{-1}` for the variational bound and
    :math:`-\operatorname{diag} S` for FITC.

    Parameters
    ----------
    summary : Summary
    points : bool
        Whether the derivatives in the points are wanted.

    Returns
    -------
    theta : ndarray
        In the free hyper-parameters.
    points : ndarray of shape (m, d) or None
        In the inducing points; None where the kernel does not say or nobody asked.
    """
    rows, inner, W, mix = summary.rows, summary.inner, summary.W, summary.mix
    k, latent, fitc = rows.seen.Y.shape[1], rows.parts.latent, rows.fitc
    w = W @ mix
    inverse = inner.solve(np.eye(len(w)))
    inverse = 0.5 * (inverse + inverse.T)
    root = rows.outer.half_solve(np.eye(len(w)), transpose=True)
    pull, hold = root @ w, -k * root @ inverse
    theta: Floats = np.zeros(len(latent.theta))
    moved: Any = 0.0 if points else None
    noise, core = 0.0, w @ w.T + k * (inverse - np.eye(len(w)))
    if not fitc:
        core += k * (inner.lower @ inner.lower.T - np.eye(len(w)))
    for part, V, lam, missing in rows.blocks():
        X = rows.seen.X[part]
        explained = blas.dgemm(1.0, V, W, trans_a=True)
        a = (summary.rhs[part] - explained) / lam[:, None] @ mix
        S = np.einsum("ij,ij->i", a, a) - k * _precision(summary, V, lam, inverse)
        if fitc:
            core -= blas.dgemm(1.0, V * S, V, trans_b=True)
            weight = blas.dgemm(1.0, hold, V / lam) - blas.dgemm(1.0, root, V * S)
            prior, per_noise = 0.5 * S, 0.5 * S
        else:
            weight = blas.dgemm(1.0, k * root + hold, V)
            weight /= lam
            prior, per_noise = -0.5 * k / lam, 0.5 * S + 0.5 * k * missing / lam**2
        weight = blas.dgemm(1.0, pull, a, trans_b=True, beta=1.0, c=weight, overwrite_c=1)
        noise += float(per_noise.sum())
        on_theta, on_points = latent.cross_gradient(rows.Z, X, weight, points=points)
        theta += on_theta + diagonal_gradient(latent, X, prior)
        moved = None if moved is None or on_points is None else moved + on_points
    return _finish(summary, theta, moved, noise, core)


def _precision(summary: Summary, V: Floats, lam: Floats, inverse: Floats) -> Floats:
    r"""Diagonal of :math:`(Q + \Lambda)^{-1}`, or its mean in place of every entry.

    Under equal noise the variational bound needs its sum only, and that is a trace.
    """
    seen = summary.rows.seen
    if not summary.rows.fitc and np.ptp(seen.noise) == 0:
        explained = (len(inverse) - float(np.trace(inverse))) / seen.n
        return np.asarray((1.0 - explained) / lam)
    U = summary.inner.half_solve(V)
    return np.asarray(1.0 / lam - np.einsum("ij,ij->j", U, U) / lam**2)


def _finish(
    summary: Summary, theta: Floats, moved: Floats | None, noise: float, core: Floats
) -> tuple[Floats, Floats | None]:
    """Add what the covariance of the inducing points contributes."""
    rows = summary.rows
    latent = rows.parts.latent
    half = rows.outer.half_solve(core, transpose=True)
    G = -0.5 * rows.outer.half_solve(half.T, transpose=True)
    G = 0.5 * (G + G.T)
    # The nugget grows with the mean variance of the inducing points.
    G.flat[:: len(G) + 1] += NUGGET * np.trace(G) / len(G)
    theta = theta + latent.gradient_product(rows.Z, G)
    free = rows.parts.gradient(theta, noise)
    if moved is None:
        return free, None
    between = latent.cross_gradient(rows.Z, rows.Z, G)[1]
    return free, None if between is None else moved + 2.0 * between


def diagonal_gradient(kernel: Any, X: Any, weight: Floats) -> Floats:
    """Weighted sum of the derivatives of ``k(x, x)``."""
    if kernel.stationary:
        return np.asarray(kernel.gradient_product(X[:1], np.array([[weight.sum()]])))
    total = np.zeros(len(kernel.theta))
    for start in range(0, len(X), 256):
        part = weight[start : start + 256]
        total += kernel.gradient_product(X[start : start + 256], np.diag(part))
    return total
