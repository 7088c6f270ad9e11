"""Objectives and certificates, written from the formulas and shared with no contestant."""

import numpy as np
import scipy.linalg
from scipy.special import expit, logsumexp

from benchmarks.data import Table


def binary_objective(table: Table, w: np.ndarray, b: float, C: float) -> float:
    r"""Mean log loss plus penalty, :math:`\frac1n\sum_i\log(1+e^{-s_i z_i})+\frac{1}{2Cn}\|w\|^2`.

    Here :math:`z_i = x_i^\top w + b` and :math:`s_i = 2y_i - 1`.
    """
    margins = (2 * table.y - 1) * (table.X @ w + b)
    return float(np.logaddexp(0.0, -margins).mean() + w @ w / (2 * C * table.y.size))


def binary_gradient(table: Table, w: np.ndarray, b: float, C: float) -> float:
    """Largest entry, in size, of the gradient of :func:`binary_objective` in (w, b)."""
    n = table.y.size
    residual = expit(table.X @ w + b) - table.y
    in_w = table.X.T @ residual / n + w / (C * n)
    return float(max(np.abs(in_w).max(), abs(residual.mean())))


def hinge_objective(table: Table, w: np.ndarray, b: float, alpha: float) -> float:
    r"""Mean of :math:`\max(0, 1 - s_i z_i)`, :math:`s_i = 2y_i - 1`, plus half of α‖w‖²."""
    margins = (2 * table.y - 1) * (table.X @ w + b)
    return float(np.maximum(1.0 - margins, 0.0).mean() + 0.5 * alpha * w @ w)


def spline_objective(table: Table, values: np.ndarray, alpha: float) -> float:
    r"""Mean of :math:`(y_i - f_i)^2` plus :math:`\frac\alpha n \int f''^2` of these values.

    Of all curves through the values the natural cubic spline has the least roughness, the integral
    of the square of a broken line.
    """
    from scipy.interpolate import CubicSpline

    bend = CubicSpline(table.X, values, bc_type="natural")(table.X, 2)
    a, b = bend[:-1], bend[1:]
    rough = np.diff(table.X) @ (a * a + a * b + b * b) / 3
    return float((np.square(table.y - values).sum() + alpha * rough) / table.y.size)


def softmax_objective(table: Table, W: np.ndarray, b: np.ndarray, C: float) -> float:
    r"""Mean of :math:`\log\sum_k e^{z_{ik}} - z_{iy_i}` plus :math:`\frac{1}{2Cn}\|W\|_F^2`."""
    scores = table.X @ W.T + b
    own = np.take_along_axis(scores, table.y[:, None], axis=1)[:, 0]
    loss = (logsumexp(scores, axis=1) - own).mean()
    return float(loss + np.square(W).sum() / (2 * C * table.y.size))


def softmax_gradient(table: Table, W: np.ndarray, b: np.ndarray, C: float) -> float:
    """Largest entry, in size, of the gradient of :func:`softmax_objective` in (W, b)."""
    n = table.y.size
    scores = table.X @ W.T + b
    residual = np.exp(scores - logsumexp(scores, axis=1, keepdims=True))
    residual[np.arange(n), table.y] -= 1.0
    in_W = residual.T @ table.X / n + W / (C * n)
    return float(max(np.abs(in_W).max(), np.abs(residual.mean(axis=0)).max()))


def penalised_rss(table: Table, w: np.ndarray, b: float, alpha: float) -> float:
    r"""Share :math:`(\|y-Xw-b\|^2+\alpha\|w\|^2) / \|y-\bar y\|^2`, at most one at any size."""
    residual = table.y - table.X @ w - b
    centred = table.y - table.y.mean()
    return float((residual @ residual + alpha * w @ w) / (centred @ centred))


def ridge_gradient(table: Table, w: np.ndarray, b: float, alpha: float) -> float:
    r"""Gradient of the penalised squares relative to its size at zero, in the largest entry.

    :math:`\max(\|X^\top r-\alpha w\|_\infty, |\sum_i r_i|)/\|X^\top(y-\bar y)\|_\infty`, with
    :math:`r = y - Xw - b`.
    """
    residual = table.y - table.X @ w - b
    in_w = np.abs(table.X.T @ residual - alpha * w).max()
    start = np.abs(table.X.T @ (table.y - table.y.mean())).max()
    return float(max(in_w, abs(residual.sum())) / start)


def norm_excess(table: Table, w: np.ndarray) -> float:
    """Relative distance of the norm of ``w`` from that of the minimum-norm least-squares answer.

    The intercept is free, so the reference is the minimum-norm solution of the centred system. That
    system has a singular value of zero, which rounding lifts: the cut must be above the rounding.
    """
    X = table.X - table.X.mean(axis=0)
    cut = max(X.shape) * np.finfo(float).eps
    shortest = scipy.linalg.lstsq(X, table.y - table.y.mean(), cond=cut, lapack_driver="gelsd")[0]
    reference = np.linalg.norm(shortest)
    return float(abs(np.linalg.norm(w) - reference) / reference)
