"""The last digits of a small kernel machine, by linear algebra."""

import numpy as np

from margin.core.types import Floats
from margin.linalg import lstsq
from margin.optim.duals._box_dual import BoxDual, Optimality, optimality

MOST_FREE = 512
ROUNDS = 10
# A box that pairs on a line without curvature do not cross: their steps are some 1e12.
WIDE = 1e14
# Share of the residual that no multipliers take away, and how far to go then.
ENDLESS = 1e-6
FAR = 1e307


def polish(
    problem: BoxDual,
    beta: Floats,
    scores: Floats,
    proof: Optimality | None = None,
    *,
    enough: float = 0.0,
) -> tuple[Floats, Floats, Optimality]:
    r"""Optimise the variables strictly between their bounds exactly.

    On them the conditions of optimality are linear: :math:`K_{FF} \delta + b = r_F` and
    :math:`\sum \delta = 0` within each group; of many solutions (duplicate rows) the shortest is
    taken. A step that leaves the box ends at its wall and the next round has one variable less.
    The result is kept only if it violates the conditions less than the start (whose optimality is
    ``proof``, measured when needed), or no more than ``enough``.
    """
    start = beta, scores
    polished: tuple[Floats, Floats, Optimality] | None = None
    for _ in range(ROUNDS):
        step = _free_step(problem, beta, scores)
        if step is None:
            break
        beta, scores, hit = step
        after = optimality(problem, beta, scores)
        if polished is None or after.violation <= polished[2].violation:
            polished = beta, scores, after
        if not hit:
            break
    if polished is not None and polished[2].violation <= enough:
        return polished
    proof = optimality(problem, *start) if proof is None else proof
    if polished is None or not polished[2].violation <= proof.violation:
        return *start, proof
    return polished


def _free_step(
    problem: BoxDual, beta: Floats, scores: Floats
) -> tuple[Floats, Floats, bool] | None:
    free = np.flatnonzero((beta > problem.lower) & (beta < problem.upper))
    if not 1 < len(free) <= MOST_FREE:
        return None
    rows = problem.row_of[free]
    K = np.asarray(problem.gram.columns(None)(rows), dtype=np.float64)
    ones = np.ones((len(free), 1))
    if problem.group is not None:
        present = np.unique(problem.group[free])
        ones = (problem.group[free][:, None] == present).astype(np.float64)
    size, extra = ones.shape
    system = np.zeros((size + extra, size + extra))
    system[:size, :size] = K[:, rows]
    system[:size, size:], system[size:, :size] = ones, ones.T
    residual = problem.target[free] - scores[rows]
    right = np.concatenate([residual, np.zeros(extra)])
    wide = problem.bounded and float((problem.upper - problem.lower)[free].max()) > WIDE
    delta = (_direction if wide else _solved)(system, right)[:size]
    wall = np.where(delta > 0, problem.upper[free], problem.lower[free])
    # What does not move never meets its wall.
    with np.errstate(over="ignore"):
        room = np.divide(wall - beta[free], delta, out=np.full(size, np.inf), where=delta != 0)
    length = min(1.0, float(room.min()))
    moved = beta.copy()
    moved[free] += length * delta
    if length < 1.0:
        first = int(room.argmin())
        moved[free[first]] = wall[first]
    moved = np.minimum(np.maximum(moved, problem.lower), problem.upper)
    return moved, scores + (moved[free] - beta[free]) @ K, length < 1.0


def _direction(system: Floats, right: Floats) -> Floats:
    """Way to the optimum, or far along a line on which the objective falls without curvature.

    Equal rows with different labels have such a line, which ends at a wall.
    """
    solved = _solved(system, right)
    rest = right - system @ solved
    size = float(np.abs(rest).max())
    endless = size > ENDLESS * float(np.abs(right).max())
    with np.errstate(all="ignore"):
        flat = float(np.abs(system @ rest).max()) <= 1e-12 * float(np.abs(system).max()) * size
    return rest * (FAR / size) if endless and flat else solved


def _solved(system: Floats, right: Floats) -> Floats:
    """Solution of a symmetric system, the shortest one where it is singular."""
    try:
        solved = np.asarray(np.linalg.solve(system, right), dtype=np.float64)
        error = float(np.abs(system @ solved - right).max())
        growth = float(np.abs(solved).max()) * np.finfo(np.float64).eps * len(right)
        if error <= 1e-12 * float(np.abs(right).max()) and growth < 1e-10:
            return solved
    except np.linalg.LinAlgError:
        pass
    return lstsq(system, right, 1e-12)
