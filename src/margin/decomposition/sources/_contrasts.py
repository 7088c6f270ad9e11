"""Contrast functions of independent components: how far from normal is a projection."""

from collections.abc import Callable
from typing import Any

import numpy as np

from margin.core.types import Floats

# Values and mean slopes of the derivative of a contrast, per row of an array.
Derivative = Callable[[Floats], tuple[Floats, Floats]]

NAMES = ("logcosh", "exp", "cube")


def derivative(name: str, alpha: float = 1.0) -> Derivative:
    r"""Derivative :math:`g` of a contrast by name: values, and means of :math:`g'` per row.

    ``"logcosh"``: :math:`\tanh(\alpha u)`, robust and for every kind of source; ``"exp"``:
    :math:`u e^{-u^2/2}`, for sources with heavy tails; ``"cube"``: :math:`u^3`, the kurtosis.

    Examples
    --------
    >>> value, slope = derivative("cube")(np.array([[1.0, 2.0]]))
    >>> value, slope
    (array([[1., 8.]]), array([7.5]))
    """
    if name == "logcosh":
        return lambda u: _logcosh(u, alpha)
    return _exp if name == "exp" else _cube


def foreign(function: Callable[..., Any], arguments: dict[str, Any]) -> Derivative:
    """A function of a person, which must give values and slopes."""

    def checked(u: Floats) -> tuple[Floats, Floats]:
        answer = function(u, **arguments)
        if not (isinstance(answer, tuple) and len(answer) == 2):
            raise ValueError(
                "FastICA: fun must be a name or give a tuple of values and mean slopes per row, "
                f"got {type(answer).__name__}"
            )
        value, slope = np.asarray(answer[0]), np.asarray(answer[1])
        return value, slope if slope.ndim == 1 else slope.mean(axis=-1)

    return checked


def _logcosh(u: Floats, alpha: float) -> tuple[Floats, Floats]:
    value = np.tanh(u if alpha == 1.0 else alpha * u)
    return value, alpha * (1.0 - np.einsum("ij,ij->i", value, value) / u.shape[1])


def _exp(u: Floats) -> tuple[Floats, Floats]:
    square = u * u
    bell = np.exp(-0.5 * square)
    return u * bell, np.mean((1.0 - square) * bell, axis=1)


def _cube(u: Floats) -> tuple[Floats, Floats]:
    square = u * u
    return square * u, 3.0 * square.mean(axis=1)
