"""Machines that tell two classes apart: a price of errors, or a share of them."""

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from margin.core.progress import Callback
from margin.core.types import Floats
from margin.optim import BoxDual, Gram, Machine, soft_margin
from margin.svm.kernel._dual_machine import DualSettings


class ClassDual(Protocol):
    """What a machine for two classes minimises."""

    def train(
        self,
        gram: Gram,
        sign: Floats,
        weight: Floats,
        settings: DualSettings,
        tick: Callback | None = None,
    ) -> Machine:
        """The machine for labels of +1 and -1 and factors of the losses."""


@dataclass(frozen=True)
class SoftMargin:
    r"""Minimiser of :math:`\tfrac12 \|w\|^2 + C \sum_i s_i (1 - y_i f(x_i))_+` (svm.02, svm.03).

    Parameters
    ----------
    C : float
        Price of a margin error; infinity allows none.
    """

    C: float

    def train(
        self,
        gram: Gram,
        sign: Floats,
        weight: Floats,
        settings: DualSettings,
        tick: Callback | None = None,
        start: Floats | None = None,
    ) -> Machine:
        """The machine, from zero or from coefficients that the bounds allow."""
        bound = prices(self.C, weight)
        solution = settings.solve(soft_margin(gram, sign, bound, start), tick)
        bias = float(solution.extras["optimality"].bias[0])
        return Machine(solution.x, bias, solution.extras["scores"], bound, solution)


@dataclass(frozen=True)
class ErrorShare:
    r"""Soft margin with a share :math:`\nu` of margin errors and support vectors.

    Minimises :math:`\tfrac12 \|w\|^2 - \nu \rho + \frac1n \sum_i s_i (\rho - y_i f(x_i))_+`; the
    machine is scaled to a margin of 1.

    Parameters
    ----------
    nu : float
    """

    nu: float

    def train(
        self,
        gram: Gram,
        sign: Floats,
        weight: Floats,
        settings: DualSettings,
        tick: Callback | None = None,
    ) -> Machine:
        """The machine; a share that the smaller class does not allow is lowered."""
        nu, total = self.nu, weight.sum()
        most = 2.0 * min(weight[sign > 0].sum(), weight[sign < 0].sum()) / total
        repairs: tuple[str, ...] = ()
        if nu > most:
            repairs = (f"lowered nu from {nu:.3g} to {most:.3g}, twice the share of a class",)
            nu = most
        half = 0.5 * nu * total
        one, other = fill(weight * (sign > 0), half), fill(weight * (sign < 0), half)
        problem = BoxDual(
            gram,
            np.zeros(len(sign)),
            np.where(sign > 0, 0.0, -weight),
            np.where(sign > 0, weight, 0.0),
            np.where(sign > 0, one, -other),
            group=(sign < 0).astype(np.int64),
        )
        solution = settings.solve(problem, tick)
        positive, negative = solution.extras["optimality"].bias
        width = 0.5 * (negative - positive)
        if width < -10 * settings.tol * max(1.0, abs(negative)):
            # Only a kernel that is none has a negative margin: its machine is turned round.
            repairs += (f"turned the machine round: its margin is negative, {2 * width:.3g}",)
        elif not width > 1e-12 * max(1.0, abs(negative)):
            width = 1.0
            repairs += (f"left the machine unscaled: with nu={nu:.3g} the margin has no width",)
        return Machine(
            solution.x / width,
            0.5 * float(positive + negative) / width,
            solution.extras["scores"] / width,
            weight / abs(width),
            replace(solution, repairs=(*solution.repairs, *repairs)),
        )


def prices(C: float, weight: Floats) -> Floats:
    """Largest coefficient of every row; none for rows without a weight."""
    return np.where(weight > 0, C, 0.0) if np.isinf(C) else C * weight


def fill(room: Floats, total: float) -> Floats:
    """Amounts up to ``room`` each, the first rows first, that sum to ``total``.

    Examples
    --------
    >>> fill(np.array([1.0, 2.0, 2.0]), 2.5)
    array([1. , 1.5, 0. ])
    """
    before = room.cumsum() - room
    return np.minimum(np.maximum(total - before, 0.0), room)
