"""The no-U-turn sampler: a path doubled until it turns back, a point of it drawn by density."""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from margin.core.types import Floats
from margin.inference._differentiable import ValueAndGradient
from margin.inference.sampling._leapfrog import Metric, Phase, leapfrog


class Travel(NamedTuple):
    """The end of a journey, and how it went."""

    x: Floats
    value: float
    gradient: Floats
    acceptance: float
    n_steps: int
    depth: int
    divergent: bool


class Branch(NamedTuple):
    """A stretch of a path: its ends in the order of travel, and a point drawn from it.

    ``total`` is the sum of the momenta, ``log_weight`` the log of the summed densities relative to
    the start; ``open`` tells whether the path may go on.
    """

    first: Phase
    last: Phase
    total: Floats
    drawn: Phase
    log_weight: float
    open: bool


@dataclass
class _Count:
    """Leapfrog steps of one journey and their acceptance."""

    steps: int = 0
    acceptance: float = 0.0
    divergent: bool = False


@dataclass(frozen=True)
class NoUTurn:
    """Paths of at most 2 to the power ``max_depth`` steps."""

    max_depth: int
    max_energy: float = 1000.0

    def travel(
        self,
        function: ValueAndGradient,
        metric: Metric,
        at: Phase,
        step: float,
        rng: np.random.Generator,
    ) -> Travel:
        """A point of the path through ``at``."""
        start, count = at.log_joint, _Count()

        def grow(begin: Phase, length: float, depth: int) -> Branch:
            """A stretch of 2 to the power ``depth`` steps from ``begin`` on."""
            if depth == 0:
                there = leapfrog(function, metric, begin, length)
                change = there.log_joint - start
                count.steps += 1
                count.acceptance += math.exp(min(0.0, change))
                diverges = not change > -self.max_energy
                count.divergent |= diverges
                return Branch(there, there, there.momentum, there, change, not diverges)
            near = grow(begin, length, depth - 1)
            if not near.open:
                return near
            far = grow(near.last, length, depth - 1)
            if not far.open:
                return near._replace(open=False)
            log_weight = _log_sum(near.log_weight, far.log_weight)
            take = rng.random() < math.exp(far.log_weight - log_weight)
            return _join(near, far, far.drawn if take else near.drawn, log_weight)

        path = Branch(at, at, at.momentum, at, 0.0, True)
        depth = 0
        while path.open and depth < self.max_depth:
            forwards = rng.random() < 0.5
            new = grow(path.last if forwards else path.first, step if forwards else -step, depth)
            depth += 1
            if not new.open:
                break
            # The new half is preferred: the farther a draw from its start, the better.
            take = rng.random() < math.exp(min(0.0, new.log_weight - path.log_weight))
            drawn = new.drawn if take else path.drawn
            log_weight = _log_sum(path.log_weight, new.log_weight)
            near, far = (path, new) if forwards else (_reversed(new), path)
            path = _join(near, far, drawn, log_weight)
        end = path.drawn
        return Travel(
            end.x, end.value, end.gradient, count.acceptance / count.steps, count.steps, depth,
            count.divergent,
        )  # fmt: skip


def _reversed(branch: Branch) -> Branch:
    """A stretch that was travelled backwards, in the order of time."""
    return branch._replace(first=branch.last, last=branch.first)


def _join(near: Branch, far: Branch, drawn: Phase, log_weight: float) -> Branch:
    """Two stretches as one; open only while neither it nor its middle turns back."""
    total = near.total + far.total
    turning = _turns(near.first, far.last, total)
    if not turning and near.first is not near.last:  # two points have no middle
        turning = _turns(near.first, far.first, near.total + far.first.momentum) or _turns(
            near.last, far.last, far.total + near.last.momentum
        )
    return Branch(near.first, far.last, total, drawn, log_weight, not turning)


def _log_sum(a: float, b: float) -> float:
    """Logarithm of a sum, given the logarithms: quicker for two numbers than for arrays."""
    most = max(a, b)
    return most if most == -math.inf else most + math.log1p(math.exp(min(a, b) - most))


def _turns(first: Phase, last: Phase, total: Floats) -> bool:
    """Whether one of the ends moves against the way covered between them."""
    return bool(first.velocity @ total <= 0 or last.velocity @ total <= 0)
