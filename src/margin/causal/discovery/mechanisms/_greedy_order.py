"""A graph of additive functions, grown by the gain in likelihood and pruned by tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import lstsq
from scipy.stats import f as f_law

from margin.causal.discovery.lingam._triangular import topological, waiting
from margin.causal.discovery.mechanisms._additive_columns import AdditiveColumns
from margin.core.types import Bools, Floats
from margin.search import Knowledge


@dataclass(frozen=True, eq=False)
class GrownGraph:
    """A directed acyclic graph as it grew.

    Parameters
    ----------
    parents : list of list of int
    order : tuple of int
        Columns, causes first.
    gains : tuple of float
        Gain in log-likelihood of every arrow, in the order in which they came.
    """

    parents: list[list[int]]
    order: tuple[int, ...]
    gains: tuple[float, ...]


def near_columns(table: AdditiveColumns, most: int) -> Bools:
    """Entry [j, i]: column j is among those that help most to predict i, by forward selection."""
    p = table.values.shape[1]
    near = np.zeros((p, p), dtype=bool)
    if p <= most + 1:
        return ~np.eye(p, dtype=bool)
    for target in range(p):
        chosen: list[int] = []
        while len(chosen) < most:
            rest = [j for j in range(p) if j != target and j not in chosen]
            gains = gains_of(table, target, chosen, rest)
            best = int(np.argmax(gains))
            if gains[best] <= table.width(rest[best]):
                break
            chosen.append(rest[best])
        near[chosen, target] = True
    return near


def gains_of(
    table: AdditiveColumns, target: int, causes: Sequence[int], more: Sequence[int]
) -> Floats:
    r"""Gain :math:`\tfrac n2 \log (\mathrm{RSS}/\mathrm{RSS}_j)` of each further cause j.

    One factorisation for the causes that are there, then one small system per candidate.
    """
    x, used = table.values[:, target], table.places(causes)
    before = table.squares(target, used)
    moment = table.moment[:, target]
    across = np.zeros((0, len(moment)))
    slopes = across
    if len(used):
        across = table.gram[used]
        slopes = lstsq(table.gram[np.ix_(used, used)], across, cond=1e-10)[0]
        moment = moment - slopes.T @ table.moment[used, target]
    gains = np.zeros(len(more))
    for at, candidate in enumerate(more):
        block = table.places([candidate])
        inner = table.gram[np.ix_(block, block)] - across[:, block].T @ slopes[:, block]
        part = lstsq(inner, moment[block], cond=1e-10)[0]
        drop = min(float(part @ moment[block]), before * (1 - 1e-12))
        gains[at] = -0.5 * len(x) * np.log1p(-max(drop, 0.0) / before)
    return gains


def grow(table: AdditiveColumns, near: Bools, knowledge: Knowledge) -> GrownGraph:
    """Add the arrow of the largest gain until none gains more than it has columns."""
    p = table.values.shape[1]
    waits = waiting(knowledge)
    parents: list[list[int]] = [np.flatnonzero(column).tolist() for column in knowledge.required.T]
    before = _closure(waits)  # [i, j]: j must stand before i
    open_arrows = near & (knowledge.forbidden == 0) & ~np.eye(p, dtype=bool)
    open_arrows[knowledge.required != 0] = False
    gains = np.full((p, p), -np.inf)
    for target in range(p):
        _look(table, target, parents[target], open_arrows, gains)
    path: list[float] = []
    while True:
        gains[before] = -np.inf  # an arrow from j to i would close a circle
        cause, effect = np.unravel_index(int(np.argmax(gains)), gains.shape)
        gain = float(gains[cause, effect])
        if not np.isfinite(gain):
            break
        parents[effect].append(int(cause))
        path.append(gain)
        open_arrows[cause, effect] = False
        later, earlier = before[:, effect].copy(), before[cause].copy()
        later[effect] = earlier[cause] = True
        before |= np.outer(later, earlier)
        gains[:, effect] = -np.inf
        _look(table, int(effect), parents[effect], open_arrows & ~before, gains)
    arrows = waits.copy()
    for target, causes in enumerate(parents):
        arrows[target, causes] = True
    return GrownGraph(parents, tuple(topological(arrows, np.zeros((p, p)))), tuple(path))


def _look(
    table: AdditiveColumns, target: int, causes: list[int], open_arrows: Bools, gains: Floats
) -> None:
    more = np.flatnonzero(open_arrows[:, target]).tolist()
    if more:
        values = gains_of(table, target, causes, more)
        price = np.array([table.width(j) for j in more])
        gains[more, target] = np.where(values > price, values, -np.inf)


def _closure(waits: Bools) -> Bools:
    reach = waits.copy()
    for middle in range(len(reach)):
        reach |= np.outer(reach[:, middle], reach[middle])
    return reach


def significant(
    table: AdditiveColumns, target: int, causes: Sequence[int], required: Bools, alpha: float
) -> tuple[list[int], dict[int, float]]:
    """Causes that stay when the least significant one goes until all are below ``alpha``.

    The test is that of F: what a cause adds to the explained squares against what is left.
    """
    kept = list(causes)
    while True:
        p_values = f_tests(table, target, kept)
        loose = [c for c in kept if not required[c]]
        worst = max(loose, key=lambda c: p_values[c], default=None)
        if worst is None or p_values[worst] <= alpha:
            return kept, p_values
        kept.remove(worst)


def f_tests(table: AdditiveColumns, target: int, causes: Sequence[int]) -> dict[int, float]:
    """p-value of every cause given the others."""
    used = table.places(causes)
    left = table.squares(target, used)
    dof = max(len(table.values) - 1 - len(used), 1)
    answers = {}
    for cause in causes:
        without = table.squares(target, table.places([c for c in causes if c != cause]))
        ratio = max(without - left, 0.0) / table.width(cause) / (left / dof)
        answers[cause] = float(f_law.sf(ratio, table.width(cause), dof))
    return answers


def bends(table: AdditiveColumns, target: int, causes: Sequence[int], cause: int) -> float:
    """p-value of a straight line in place of the function of one cause."""
    used = table.places(causes)
    bent = table.places([cause])[1:]
    if not len(bent):
        return 1.0
    left, dof = table.squares(target, used), max(len(table.values) - 1 - len(used), 1)
    straight = table.squares(target, np.setdiff1d(used, bent))
    ratio = max(straight - left, 0.0) / len(bent) / (left / dof)
    return float(f_law.sf(ratio, len(bent), dof))
