"""How good a point of a quadratic program is."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.optim.programs._interior_point import PrimalDual
from margin.optim.programs._quadratic_program import QuadraticProgram


@dataclass(frozen=True)
class Evidence:
    """How far a point with multipliers is from the conditions of optimality, relatively."""

    primal: float
    dual: float
    gap: float
    stationarity: float
    infeasibility: float

    @property
    def worst(self) -> float:
        return max(self.gap, self.stationarity, self.infeasibility)


def evidence(program: QuadraticProgram, at: PrimalDual) -> Evidence:
    r"""Primal and dual value and the residuals at a point (optim.19, optim.20).

    The dual value is :math:`-\tfrac12 x^\top P x - b^\top y - h^\top z`, the Lagrangian at its
    stationary point; prices below zero count as residual.
    """
    G, h = program.inequalities()
    image = program.P @ at.x
    pull = program.A.T @ at.equality + G.T @ at.inequality
    primal = program.value(at.x)
    dual = -0.5 * float(at.x @ image) - float(program.b @ at.equality) - float(h @ at.inequality)
    over = np.maximum(G @ at.x - h, 0.0).max(initial=0.0)
    off = np.abs(program.A @ at.x - program.b).max(initial=0.0)
    size = max(1.0, _largest(program.b), _largest(h))
    force = max(1.0, _largest(program.q), _largest(image), _largest(pull))
    wrong = max(_largest(image + program.q + pull), -float(at.inequality.min(initial=0.0)))
    return Evidence(
        primal,
        dual,
        abs(primal - dual) / max(1.0, abs(primal)),
        wrong / force,
        max(float(over), float(off)) / size,
    )


def _largest(values: Any) -> float:
    return float(np.abs(np.asarray(values)).max(initial=0.0))
