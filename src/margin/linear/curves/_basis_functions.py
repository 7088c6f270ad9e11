"""Functions of one variable in which a linear model can be expanded (linear.17)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from margin.core.types import Floats


class Functions(Protocol):
    """A few functions of one variable, the constant not among them."""

    def columns(self, x: Floats) -> Floats:
        """Values, of shape (len(x), number of functions)."""
        ...

    def names(self, x: str) -> list[str]:
        """What the functions are called when the variable is called ``x``."""
        ...


def _short(value: float) -> str:
    return repr(float(value)).removesuffix(".0")  # all digits: names must differ


@dataclass(frozen=True, eq=False)
class TruncatedPowers:
    r"""Piecewise polynomials that join with a wanted number of continuous derivatives.

    With :math:`u = (x - a)/(b - a)` and inner knots :math:`\kappa`, the functions are
    :math:`u^j` for :math:`1 \le j \le d` and :math:`(u - \kappa)_+^j` for
    :math:`r < j \le d`: derivatives up to the ``smoothness`` :math:`r` are continuous at the knots.
    :math:`r = -1` are separate polynomials on every piece, :math:`r = d - 1` splines.

    Examples
    --------
    >>> pieces = TruncatedPowers(np.array([0.0, 1.0, 2.0]), degree=1, smoothness=0)
    >>> pieces.columns(np.array([0.5, 1.5])).tolist()
    [[0.25, 0.0], [0.75, 0.25]]
    >>> pieces.names("x")
    ['x', '(x-1)+']
    """

    knots: Floats
    degree: int
    smoothness: int

    def columns(self, x: Floats) -> Floats:
        """Powers, then those truncated at the inner knots."""
        u, knots = _unit(x, self.knots), _unit(self.knots[1:-1], self.knots)
        powers = [u**j for j in range(1, self.degree + 1)]
        for knot in knots:
            beyond = np.maximum(u - knot, 0.0)
            for j in range(self.smoothness + 1, self.degree + 1):
                powers.append(beyond**j if j else (u >= knot).astype(np.float64))
        return np.stack(powers, axis=1) if powers else np.empty((len(x), 0))

    def names(self, x: str) -> list[str]:
        """``x``, ``x^2``, … and ``(x-1)+^3``."""
        names = [_power(x, j) for j in range(1, self.degree + 1)]
        for knot in self.knots[1:-1]:
            for j in range(self.smoothness + 1, self.degree + 1):
                names.append(_power(f"({_beyond(x, knot)})+", j) if j else f"{x}>={_short(knot)}")
        return names


@dataclass(frozen=True, eq=False)
class NaturalCubic:
    r"""Cubic splines that are straight lines before the first and after the last knot.

    With :math:`u = (x - a)/(b - a)` and knots :math:`0 = \kappa_1 < \dots < \kappa_K = 1`,

    .. math:: u, \qquad d_k(u) - d_{K-1}(u) \;(k \le K - 2), \qquad
        d_k(u) = \frac{(u - \kappa_k)_+^3 - (u - \kappa_K)_+^3}{\kappa_K - \kappa_k} :

    with the constant, all :math:`K` dimensions of the natural splines of these knots.

    Examples
    --------
    >>> curve = NaturalCubic(np.array([0.0, 1.0, 2.0]))
    >>> np.diff(curve.columns(np.array([2.0, 3.0, 4.0])), 2, axis=0).round(12).tolist()
    [[0.0, 0.0]]
    """

    knots: Floats

    def columns(self, x: Floats) -> Floats:
        """The line, then one function for every knot but the last two."""
        u = _unit(x, self.knots)
        if len(self.knots) < 3:
            return u[:, None]
        knots = _unit(self.knots, self.knots)
        # Beyond the last knot the squares and cubes cancel: only what is left is computed.
        inside, past = np.minimum(u, 1.0)[:, None], np.maximum(u - 1.0, 0.0)[:, None]
        reach = 1.0 - knots[:-1]
        bend = np.maximum(inside - knots[:-1], 0.0) ** 3 / reach + 3.0 * past * reach
        bent = bend[:, :-1] - bend[:, -1:]
        return np.column_stack([u, bent])

    def names(self, x: str) -> list[str]:
        """``x`` and ``natural(x,0.5)`` for the knot at 0.5."""
        return [x, *(f"natural({x},{_short(k)})" for k in self.knots[:-2] if len(self.knots) > 2)]


@dataclass(frozen=True, eq=False)
class Fourier:
    r"""Cosines and sines :math:`\cos 2\pi k x / T, \sin 2\pi k x / T` for :math:`k \le d`.

    Examples
    --------
    >>> Fourier(period=4.0, degree=1).columns(np.array([0.0, 1.0])).round(12).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """

    period: float
    degree: int

    def columns(self, x: Floats) -> Floats:
        """Cosine and sine of every harmonic."""
        phase = 2 * np.pi * np.outer(x / self.period, np.arange(1, self.degree + 1))
        return np.stack([np.cos(phase), np.sin(phase)], axis=2).reshape(len(x), 2 * self.degree)

    def names(self, x: str) -> list[str]:
        """``cos1(x)``, ``sin1(x)``, …"""
        return [f"{f}{k}({x})" for k in range(1, self.degree + 1) for f in ("cos", "sin")]


@dataclass(frozen=True, eq=False)
class Radial:
    r"""Bells :math:`e^{-(x - \kappa)^2 / (2 h^2)}` around the knots.

    Examples
    --------
    >>> Radial(np.array([0.0, 1.0]), 1.0).columns(np.array([0.0])).round(6).tolist()
    [[1.0, 0.606531]]
    """

    knots: Floats
    width: float

    def columns(self, x: Floats) -> Floats:
        """One bell per knot."""
        return np.asarray(np.exp(-0.5 * ((x[:, None] - self.knots) / self.width) ** 2))

    def names(self, x: str) -> list[str]:
        """``bell(x,0.5)`` for the knot at 0.5."""
        return [f"bell({x},{_short(k)})" for k in self.knots]


def _unit(x: Floats, knots: Floats) -> Floats:
    return np.asarray((x - knots[0]) / ((knots[-1] - knots[0]) or 1.0))


def _power(x: str, j: int) -> str:
    return x if j == 1 else f"{x}^{j}"


def _beyond(x: str, knot: Any) -> str:
    return f"{x}-{_short(knot)}" if knot >= 0 else f"{x}+{_short(-knot)}"
