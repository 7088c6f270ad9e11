"""Machines with one function: tubes of given or found width, and the region of one class."""

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from margin.core.progress import Callback
from margin.core.types import Floats
from margin.optim import BoxDual, Gram, Machine, tube
from margin.svm.kernel._class_duals import fill, prices
from margin.svm.kernel._dual_machine import DualSettings


@dataclass(frozen=True, eq=False)
class Single:
    """A trained machine with the margins of its rows.

    Parameters
    ----------
    machine : Machine
    margin : ndarray of shape (n,)
        1 on the border of the tube or region, less outside.
    epsilon : float
        Half width of the tube; 0 for a region.
    """

    machine: Machine
    margin: Floats
    epsilon: float = 0.0


class SingleDual(Protocol):
    """What a machine with one function minimises."""

    def train(
        self,
        gram: Gram,
        y: Any,
        weight: Floats,
        settings: DualSettings,
        tick: Callback | None = None,
    ) -> Single:
        """The machine for numbers, where there are any, and factors of the losses."""


@dataclass(frozen=True)
class GivenTube:
    r"""Minimiser of :math:`\tfrac12 \|w\|^2 + C \sum_i s_i (|y_i - f(x_i)| - \epsilon)_+` (svm.15).

    Parameters
    ----------
    C, epsilon : float
        Price of an error outside the tube, and its half width.
    """

    C: float
    epsilon: float

    def train(
        self,
        gram: Gram,
        y: Floats,
        weight: Floats,
        settings: DualSettings,
        tick: Callback | None = None,
    ) -> Single:
        """The machine with a tube of given width."""
        bound = prices(self.C, weight)
        problem = tube(gram, y, bound, self.epsilon)
        solution = settings.solve(problem, tick)
        bias, scores = float(solution.extras["optimality"].bias[0]), solution.extras["scores"]
        machine = Machine(problem.by_row(solution.x), bias, scores, bound, solution)
        return in_tube(machine, y, self.epsilon)


@dataclass(frozen=True)
class FoundTube:
    r"""Regression with a share :math:`\nu` of rows outside a tube whose width is found.

    Parameters
    ----------
    C, nu : float
        Price of an error outside the tube, and the share of rows there.
    """

    C: float
    nu: float

    def train(
        self,
        gram: Gram,
        y: Floats,
        weight: Floats,
        settings: DualSettings,
        tick: Callback | None = None,
    ) -> Single:
        """The machine and the width of its tube."""
        n, bound = len(y), prices(self.C, weight)
        start = fill(bound, 0.5 * self.nu * bound.sum())
        problem = BoxDual(
            gram,
            np.tile(y, 2),
            np.concatenate([np.zeros(n), -bound]),
            np.concatenate([bound, np.zeros(n)]),
            np.concatenate([start, -start]),
            rows=np.tile(np.arange(n), 2),
            group=np.repeat([0, 1], n),
        )
        solution = settings.solve(problem, tick)
        above, below = solution.extras["optimality"].bias
        bias, scores = 0.5 * float(above + below), solution.extras["scores"]
        machine = Machine(problem.by_row(solution.x), bias, scores, bound, solution)
        return in_tube(machine, y, 0.5 * float(above - below))


@dataclass(frozen=True)
class HalfSpace:
    r"""Half space that leaves a share :math:`\nu` of the rows on the side of the origin (svm.13).

    Parameters
    ----------
    nu : float
    """

    nu: float

    def train(
        self,
        gram: Gram,
        y: None,
        weight: Floats,
        settings: DualSettings,
        tick: Callback | None = None,
    ) -> Single:
        """The machine; its border belongs to the region."""
        start = fill(weight, self.nu * weight.sum())
        nothing = np.zeros(len(weight))
        solution = settings.solve(BoxDual(gram, nothing, nothing, weight, start), tick)
        bias = float(solution.extras["optimality"].bias[0])
        machine = Machine(solution.x, bias, solution.extras["scores"], weight, solution)
        # The support vectors on the border may be outside by rounding.
        slack = max(1e-9, 100 * float(np.finfo(gram.dtype).eps)) * abs(bias)
        terms = float(np.abs(solution.x) @ np.abs(gram.diagonal()))
        slack = max(slack, 100 * float(np.finfo(np.float64).eps) * terms)
        machine = replace(machine, bias=bias + slack)
        return Single(machine, 1.0 + machine.decision / max(1e-300, abs(machine.bias)))


def in_tube(machine: Machine, y: Floats, epsilon: float) -> Single:
    """A trained regression with the margins of its rows in the tube."""
    return Single(machine, 1.0 + epsilon - np.abs(y - machine.decision), epsilon)
