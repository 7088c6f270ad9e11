"""Derivatives of scalar functions of vectors and matrices, in one layout."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core.types import Floats


@dataclass(frozen=True)
class Derivative:
    r"""A scalar function of ``X`` and its gradient in denominator layout (linalg.04).

    The gradient has the shape of the variable: entry :math:`ij` is
    :math:`\partial f / \partial X_{ij}`.

    Parameters
    ----------
    function, gradient : str
        The formulas, as they are written on paper.
    value, slope : callable
        The same as code: ``value(X, **constants)`` and ``slope(X, **constants)``.
    """

    function: str
    gradient: str
    value: Callable[..., Any]
    slope: Callable[..., Any]

    def __repr__(self) -> str:
        return f"d {self.function} / dX = {self.gradient}"


def _table(*rows: Derivative) -> Mapping[str, Derivative]:
    return MappingProxyType({row.function: row for row in rows})


def _inverse_transpose(X: Floats) -> Floats:
    return np.asarray(np.linalg.inv(X).T, dtype=np.float64)


DERIVATIVES: Mapping[str, Derivative] = _table(
    Derivative("a'x", "a", lambda X, a: a @ X, lambda X, a: a),
    Derivative("x'x", "2 x", lambda X: X @ X, lambda X: 2 * X),
    Derivative("x'Ax", "(A + A') x", lambda X, A: X @ A @ X, lambda X, A: (A + A.T) @ X),
    Derivative(
        "|Ax - b|^2",
        "2 A'(Ax - b)",
        lambda X, A, b: np.sum((A @ X - b) ** 2),
        lambda X, A, b: 2 * A.T @ (A @ X - b),
    ),
    Derivative(
        "log sum exp x",
        "exp(x) / sum exp x",
        lambda X: np.log(np.sum(np.exp(X))),
        lambda X: np.exp(X) / np.sum(np.exp(X)),
    ),
    Derivative("a'Xb", "a b'", lambda X, a, b: a @ X @ b, lambda X, a, b: np.outer(a, b)),
    Derivative("a'X'b", "b a'", lambda X, a, b: a @ X.T @ b, lambda X, a, b: np.outer(b, a)),
    Derivative("tr(AX)", "A'", lambda X, A: np.trace(A @ X), lambda X, A: A.T),
    Derivative("tr(A'X)", "A", lambda X, A: np.trace(A.T @ X), lambda X, A: A),
    Derivative("tr(X'X)", "2 X", lambda X: np.sum(X**2), lambda X: 2 * X),
    Derivative(
        "tr(XAX')", "X (A + A')", lambda X, A: np.trace(X @ A @ X.T), lambda X, A: X @ (A + A.T)
    ),
    Derivative(
        "tr(X'AX)", "(A + A') X", lambda X, A: np.trace(X.T @ A @ X), lambda X, A: (A + A.T) @ X
    ),
    Derivative(
        "tr(A'X'XA)",
        "2 X A A'",
        lambda X, A: np.trace(A.T @ X.T @ X @ A),
        lambda X, A: 2 * X @ A @ A.T,
    ),
    Derivative(
        "tr(AX^-1)",
        "-(X^-1 A X^-1)'",
        lambda X, A: np.trace(np.linalg.solve(X, A)),
        lambda X, A: -(np.linalg.inv(X) @ A @ np.linalg.inv(X)).T,
    ),
    Derivative(
        "det X", "det(X) X^-T", np.linalg.det, lambda X: np.linalg.det(X) * _inverse_transpose(X)
    ),
    Derivative("log |det X|", "X^-T", lambda X: np.linalg.slogdet(X)[1], _inverse_transpose),
)
r"""Matrix derivatives by the function they belong to (linalg.04)."""


def numerical_gradient(
    function: Callable[[Floats], float], X: ArrayLike, step: float | None = None
) -> Floats:
    r"""Gradient of a scalar function by central differences, in the shape of ``X`` (linalg.04).

    .. math:: \frac{\partial f}{\partial X_{ij}} \approx
              \frac{f(X + h E_{ij}) - f(X - h E_{ij})}{2h}

    Parameters
    ----------
    function : callable
        ``X -> float``.
    X : array-like
        Where; a scalar, a vector or an array of any shape.
    step : float, optional
        ``h`` relative to the size of each entry (at least 1); the cube root of the machine
        precision when absent, which balances truncation and rounding.

    Examples
    --------
    >>> numerical_gradient(lambda x: x @ x, [1.0, 2.0]).round(8)
    array([2., 4.])
    """
    X = np.array(X, dtype=np.float64)
    gradient = np.empty_like(X)
    width = float(np.cbrt(np.finfo(np.float64).eps)) if step is None else step
    for index in np.ndindex(X.shape):
        kept = float(X[index])
        h = width * max(abs(kept), 1.0)
        X[index] = kept + h
        above = float(function(X))
        X[index] = kept - h
        below = float(function(X))
        X[index] = kept
        gradient[index] = (above - below) / (2 * h)
    return gradient


def derivative_error(row: Derivative, X: ArrayLike, **constants: ArrayLike) -> float:
    r"""Largest difference between a row of the table and central differences (linalg.04).

    Parameters
    ----------
    row : Derivative
        One entry of ``DERIVATIVES``, or your own.
    X : array-like
        Where to compare.
    **constants : array-like
        The other letters of the formula.

    Returns
    -------
    float
        Relative to the largest entry of the gradient, or absolute if that is below 1.

    Examples
    --------
    >>> A = [[1.0, 2.0], [0.0, 3.0]]
    >>> derivative_error(DERIVATIVES["x'Ax"], [1.0, -1.0], A=A) < 1e-8
    True
    >>> wrong = Derivative("x'Ax", "2 A x", lambda X, A: X @ A @ X, lambda X, A: 2 * A @ X)
    >>> round(derivative_error(wrong, [1.0, -1.0], A=A), 6)
    0.5
    """
    X = np.asarray(X, dtype=np.float64)
    fixed = {name: np.asarray(value, dtype=np.float64) for name, value in constants.items()}
    claimed = np.asarray(row.slope(X, **fixed), dtype=np.float64)
    if claimed.shape != X.shape:
        raise ValueError(
            f"linalg: gradient of {row.function} must have shape {X.shape}, got {claimed.shape}"
        )
    measured = numerical_gradient(lambda at: float(row.value(at, **fixed)), X)
    scale = max(1.0, float(np.max(np.abs(measured), initial=0.0)))
    return float(np.max(np.abs(claimed - measured), initial=0.0)) / scale
