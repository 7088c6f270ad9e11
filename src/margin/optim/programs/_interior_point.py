"""A primal-dual interior-point method for quadratic programs, without dependencies."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.linalg import lu_factor, lu_solve
from scipy.sparse import issparse

from margin.core.types import Floats
from margin.optim.programs._quadratic_program import QuadraticProgram

_REGULAR = 1e-13  # share of the largest entry that makes dependent rows solvable
_INSIDE = 0.99  # share of the way to the boundary that a step may go


@dataclass(frozen=True)
class PrimalDual:
    """Point, multipliers of the equalities and of all inequalities, and slacks."""

    x: Floats
    equality: Floats
    inequality: Floats
    slack: Floats


def interior_points(program: QuadraticProgram) -> Iterator[PrimalDual]:
    r"""Points of Mehrotra's predictor-corrector method, without end (optim.19).

    With slacks :math:`s \ge 0` of the inequalities and multipliers :math:`z \ge 0`, each step
    solves the linearised conditions

    .. math:: P x + q + A^\top y + G^\top z = 0, \quad A x = b, \quad G x + s = h, \quad
        s_i z_i = \sigma \mu

    twice with one factorisation: first for :math:`\sigma = 0`, to see how far it leads, then for
    the :math:`\sigma` that this suggests, with a correction of second order.
    """
    rows, h = program.inequalities()
    P, A, G = (m.toarray() if issparse(m) else m for m in (program.P, program.A, rows))
    system = _System(P, A, G)
    state = _start(system, program, h)
    yield state
    while True:
        with np.errstate(all="ignore"):  # without a solution the prices grow beyond bounds
            state = _step(system, program, h, state)
        yield state


def _start(system: "_System", program: QuadraticProgram, h: Floats) -> PrimalDual:
    """Least-squares point for the equalities; slacks and prices moved inside."""
    factor = system.factor(np.ones(len(h)))
    x, y, z = factor.solve(-program.q, program.b, h)
    slack, price = -z, z
    # Far enough inside that neither slacks nor prices start next to zero.
    slack = slack + max(0.0, 1.0 + float(-slack.min(initial=0.0))) if len(h) else slack
    price = price + max(0.0, 1.0 + float(-price.min(initial=0.0))) if len(h) else price
    return PrimalDual(x, y, price, slack)


def _step(system: "_System", program: QuadraticProgram, h: Floats, at: PrimalDual) -> PrimalDual:
    stationarity = system.P @ at.x + program.q + system.A.T @ at.equality
    stationarity = stationarity + system.G.T @ at.inequality
    off = program.b - system.A @ at.x
    over = h - system.G @ at.x - at.slack
    if not len(h):
        dx, dy, _ = system.factor(np.zeros(0)).solve(-stationarity, off, np.zeros(0))
        return PrimalDual(at.x + dx, at.equality + dy, at.inequality, at.slack)
    product = at.slack * at.inequality
    factor = system.factor(at.slack / at.inequality)

    def direction(target: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Change of all four for the wanted change ``target`` of the products."""
        dx, dy, dz = factor.solve(-stationarity, off, over - target / at.inequality)
        ds = (target - at.slack * dz) / at.inequality
        return dx, dy, dz, ds

    _, _, dz, ds = direction(-product)
    reach = min(_reach(at.slack, ds), _reach(at.inequality, dz))
    mean = float(product.mean())
    ahead = float(((at.slack + reach * ds) * (at.inequality + reach * dz)).mean())
    centre = (max(ahead, 0.0) / mean) ** 3 * mean if mean > 0 else 0.0
    dx, dy, dz, ds = direction(centre - product - ds * dz)
    length = min(1.0, _INSIDE * min(_reach(at.slack, ds), _reach(at.inequality, dz)))
    return PrimalDual(
        at.x + length * dx,
        at.equality + length * dy,
        np.maximum(at.inequality + length * dz, 1e-300),
        np.maximum(at.slack + length * ds, 1e-300),
    )


def _reach(value: Floats, change: Floats) -> float:
    """Longest step, at most one and a bit, that keeps ``value + step * change`` positive."""
    falling = change < 0
    return float(np.min(-value[falling] / change[falling], initial=1.0 / _INSIDE))


class _System:
    """The matrix of the linearised conditions, factored anew for each weighting."""

    def __init__(self, P: Floats, A: Floats, G: Floats) -> None:
        self.P, self.A, self.G = P, A, G

    def factor(self, ratio: Floats) -> "_Factor":
        """Factor of ``[[P + G^T diag(1/ratio) G, A^T], [A, 0]]``, a little regularised."""
        d, m = len(self.P), len(self.A)
        matrix = np.zeros((d + m, d + m))
        weight = 1.0 / np.maximum(ratio, 1e-300)
        matrix[:d, :d] = self.P + (self.G.T * weight) @ self.G
        matrix[:d, d:], matrix[d:, :d] = self.A.T, self.A
        scale = max(float(np.abs(matrix).max(initial=0.0)), 1e-300)
        tiny = _REGULAR * min(scale, 1.0)
        matrix[np.arange(d), np.arange(d)] += tiny
        matrix[np.arange(d, d + m), np.arange(d, d + m)] -= tiny
        return _Factor(lu_factor(matrix, check_finite=False), self, weight)


@dataclass(frozen=True)
class _Factor:
    decomposition: tuple[Floats, Floats]
    system: _System
    weight: Floats

    def solve(self, top: Floats, middle: Floats, bottom: Floats) -> tuple[Floats, Floats, Floats]:
        """Solution of the full system, with one round of refinement."""
        x, y, z = self._once(top, middle, bottom)
        P, A, G = self.system.P, self.system.A, self.system.G
        ratio = 1.0 / self.weight
        left = top - (P @ x + A.T @ y + G.T @ z)
        more = self._once(left, middle - A @ x, bottom - (G @ x - ratio * z))
        return x + more[0], y + more[1], z + more[2]

    def _once(self, top: Floats, middle: Floats, bottom: Floats) -> tuple[Floats, Floats, Floats]:
        d = len(self.system.P)
        side = np.concatenate([top + self.system.G.T @ (self.weight * bottom), middle])
        solved = lu_solve(self.decomposition, side, check_finite=False)
        z = self.weight * (self.system.G @ solved[:d] - bottom)
        return solved[:d], solved[d:], z
