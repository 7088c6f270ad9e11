"""Margins of a classifier, and what they promise for new data."""

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats


def confidence_margin(decision: ArrayLike, y: ArrayLike) -> float:
    r"""Smallest :math:`y_i f(x_i)` over the rows, with labels of +1 and -1 (svm.01).

    Positive exactly when all rows are on their side; it grows with the scale of :math:`f`.

    Examples
    --------
    >>> confidence_margin([2.0, -1.5], [1, -1])
    1.5
    """
    values, signs = np.asarray(decision, dtype=np.float64), _signs(y)
    if values.shape != signs.shape or not len(signs):
        raise check.fail("confidence_margin", "decision", "one value per label", values.shape)
    return float((signs * values).min())


def geometric_margin(coef: ArrayLike, intercept: float, X: ArrayLike, y: ArrayLike) -> float:
    r"""Smallest signed distance of the rows from the hyperplane (svm.01).

    :math:`\min_i y_i (x_i^\top w + b) / \|w\|`, the same for :math:`(c w, c b)`. The band between
    two classes is twice as wide.

    Parameters
    ----------
    coef : array-like of shape (p,)
    intercept : float
    X : array-like of shape (n, p)
    y : array-like of shape (n,)
        Labels of +1 and -1.

    Examples
    --------
    >>> round(geometric_margin([0.5, 0.5], 0.0, [[1, 1], [-1, -1]], [1, -1]), 6)
    1.414214
    """
    w = np.asarray(coef, dtype=np.float64).ravel()
    norm = float(np.linalg.norm(w))
    if not norm > 0:
        raise check.fail("geometric_margin", "coef", "a vector other than zero", w)
    return confidence_margin(np.asarray(X, dtype=np.float64) @ w + float(intercept), y) / norm


def canonical(
    coef: ArrayLike, intercept: float, X: ArrayLike, y: ArrayLike
) -> tuple[Floats, float]:
    r"""The same hyperplane, scaled to a confidence margin of 1 (svm.01).

    Then the geometric margin is :math:`1 / \|w\|`. The rows must be on their sides.

    Examples
    --------
    >>> coef, intercept = canonical([2.0, 2.0], 0.0, [[1, 1], [-1, -1]], [1, -1])
    >>> coef, intercept
    (array([0.5, 0.5]), 0.0)
    """
    w = np.asarray(coef, dtype=np.float64).ravel()
    margin = confidence_margin(np.asarray(X, dtype=np.float64) @ w + float(intercept), y)
    if not margin > 0:
        raise check.fail("canonical", "margin", "above 0: all rows on their side", margin)
    return w / margin, float(intercept) / margin


def margin_error_bound(
    nu: float,
    n: int,
    *,
    radius: float = 1.0,
    norm: float = 1.0,
    margin: float = 1.0,
    delta: float = 0.05,
    constant: float = 1.0,
) -> float:
    r"""Bound on the probability of an error, from the share of margin errors.

    With probability :math:`1 - \delta` over the training data it is at most

    .. math:: \nu + \sqrt{\frac cn \left( \frac{R^2 \Lambda^2}{\rho^2} \ln^2 n
        + \ln \frac1\delta \right)} .

    Parameters
    ----------
    nu : float
        Share (not the number) of training rows with a margin below ``margin``.
    n : int
        Training rows.
    radius, norm : float
        Radius :math:`R` of a ball around the data and bound :math:`\Lambda` on :math:`\|w\|`.
    margin : float
        The margin :math:`\rho`.
    delta : float
        Probability that the bound fails.
    constant : float
        The universal constant :math:`c`, which the theory leaves open.

    Examples
    --------
    >>> round(margin_error_bound(0.1, 1000), 9)
    0.32519506
    """
    if not 0 <= nu <= 1:
        raise check.fail("margin_error_bound", "nu", "a share between 0 and 1", nu)
    if not 0 < delta < 1:
        raise check.fail("margin_error_bound", "delta", "a number between 0 and 1", delta)
    for name, value in (("n", n), ("margin", margin), ("constant", constant)):
        if not value > 0:
            raise check.fail("margin_error_bound", name, "above 0", value)
    capacity = (radius * norm / margin) ** 2 * np.log(n) ** 2
    return float(nu + np.sqrt(constant / n * (capacity + np.log(1 / delta))))


def _signs(y: ArrayLike) -> Floats:
    signs = np.asarray(y, dtype=np.float64)
    if not np.isin(signs, (-1.0, 1.0)).all():
        raise check.fail("margins", "y", "labels of +1 and -1", signs)
    return signs
