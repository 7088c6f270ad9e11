"""Beta divergences between a table and its approximation."""

from typing import Any

import numpy as np
from scipy.special import xlogy

from margin.core.types import Bools, Floats

NAMES = {"frobenius": 2.0, "kullback-leibler": 1.0, "itakura-saito": 0.0}
TINY = float(np.finfo(np.float32).eps)


def order_of(beta_loss: Any) -> float:
    """The number that a name of a loss stands for.

    Examples
    --------
    >>> order_of("kullback-leibler"), order_of(0.5)
    (1.0, 0.5)
    """
    return NAMES[beta_loss] if isinstance(beta_loss, str) else float(beta_loss)


def beta_divergence(X: Floats, Y: Floats, beta: float, seen: Bools | None = None) -> float:
    r"""Sum of the divergences of observed entries.

    .. math:: d_\beta(x, y) = \frac{x^\beta + (\beta - 1) y^\beta - \beta x y^{\beta - 1}}
              {\beta (\beta - 1)}

    with the limits :math:`x \log(x/y) - x + y` at one (Kullback-Leibler), :math:`x/y - \log(x/y) -
    1` at zero (Itakura-Saito), and :math:`(x - y)^2 / 2` at two.

    Parameters
    ----------
    X, Y : ndarray of the same shape
        ``Y`` is held above the rounding of single precision where it is a divisor.
    beta : float
    seen : ndarray of bool, optional
        Which entries count.

    Examples
    --------
    >>> beta_divergence(np.array([[3.0]]), np.array([[1.0]]), 2.0)
    2.0
    """
    if seen is not None:
        X, Y = X[seen], Y[seen]
    if beta == 2.0:
        return float(0.5 * np.sum((X - Y) ** 2))
    Y = np.maximum(Y, TINY)
    if beta == 1.0:
        return float(np.sum(xlogy(X, X) - xlogy(X, Y) - X + Y))
    if beta == 0.0:
        ratio = np.maximum(X, TINY) / Y
        return float(np.sum(ratio - np.log(ratio) - 1.0))
    powers = X**beta + (beta - 1.0) * Y**beta - beta * X * Y ** (beta - 1.0)
    return float(np.sum(powers) / (beta * (beta - 1.0)))
