"""Derivatives of an answer with respect to the numbers in the tables."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from margin.core import check, extra
from margin.core.types import Floats
from margin.graphical._network import Network
from margin.graphical.answers._result import aligned
from margin.graphical.engines._engine import Engine, Question
from margin.graphical.engines._evidence import parse
from margin.inference import JunctionTree

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False, eq=False)
class Sensitivity:
    r"""Slope of :math:`p(t \mid e)` in every table entry.

    When an entry :math:`\theta_{x \mid u}` moves, the others of its column keep their proportions:
    the answer is then a ratio of two linear functions of it. Entries of 0 or 1 are fixed: their
    slope is given as 0.

    Parameters
    ----------
    target, state : the question.
    value : float
        The answer :math:`p(t \mid e)`.
    slopes : mapping of str to ndarray
        Derivative for every entry of the table of each node.
    """

    target: str
    state: Hashable
    value: float
    slopes: dict[str, Floats]
    network: Network

    def to_frame(self, most: int | None = None) -> pd.DataFrame:
        """Entries by decreasing steepness: node, state, states of the parents, value, slope."""
        pd = extra("pandas", "to_frame")
        return pd.DataFrame(
            self._rows(most), columns=["node", "state", "given", "probability", "slope"]
        )

    def _rows(self, most: int | None) -> list[tuple[Any, ...]]:
        rows = []
        for name, slopes in self.slopes.items():
            table = self.network.table(name)
            parents, states = self.network.parents[name], self.network.domain.states
            for at in np.ndindex(slopes.shape):
                given = ", ".join(
                    f"{p}={states[p][i]}" for p, i in zip(parents, at[:-1], strict=True)
                )
                row = (name, states[name][at[-1]], given, float(table[at]), float(slopes[at]))
                rows.append(row)
        rows.sort(key=lambda row: -abs(row[-1]))
        return rows[:most]

    def __repr__(self) -> str:
        head = f"p({self.target}={self.state}) = {self.value:.4g}; steepest entries of the tables"
        rows = [("entry", "probability", "slope")]
        for node, state, given, p, slope in self._rows(8):
            entry = f"p({node}={state} | {given})" if given else f"p({node}={state})"
            rows.append((entry, f"{p:.4g}", f"{slope:+.4g}"))
        return head + "\n" + aligned(rows)


def sensitivity(
    engine: Engine, network: Network, target: str, evidence: Any, state: Hashable = None
) -> Sensitivity:
    r"""Derivatives by two propagations, with and without the target's state as evidence.

    .. math:: \frac{\partial \log p(e)}{\partial \theta_{x \mid u}}
              = \frac{p(x, u \mid e)}{\theta_{x \mid u}}
              - \frac{\sum_{x' \ne x} p(x', u \mid e)}{1 - \theta_{x \mid u}}
    """
    known = parse(network.domain, evidence)
    if known.batched or known.soft or known.likelihoods:
        raise check.fail(
            network.owner, "evidence", "one mapping of states", "rows or uncertain evidence"
        )
    at = network.domain.position(target)
    if known.codes[0, at] >= 0:
        raise check.fail(network.owner, "target", "unobserved", target)
    posterior = engine.query(Question(target, evidence)).values
    code = int(np.argmax(posterior)) if state is None else network.domain.code(target, state)
    value = float(posterior[code])
    names = network.domain.names
    tables = [network.table(name) for name in names]
    tree = JunctionTree.compile(tuple(network.domain.cardinalities), tuple(network.families()))
    both = known.codes.copy()
    both[0, at] = code
    slopes: dict[str, Floats] = {}
    if value > 0:
        _, with_target = tree.expected_counts(tables, both)
        _, without = tree.expected_counts(tables, known.codes)
        for name, table, a, b in zip(names, tables, with_target, without, strict=True):
            slopes[name] = value * (_score(table, np.asarray(a)) - _score(table, np.asarray(b)))
    else:
        slopes = {name: np.zeros_like(table) for name, table in zip(names, tables, strict=True)}
    return Sensitivity(target, network.domain.states[target][code], value, slopes, network)


def _score(table: Floats, family: Floats) -> Floats:
    """Derivative of the log-probability of the evidence, proportions of the column kept."""
    free = (table > 0) & (table < 1)
    rest = family.sum(axis=-1, keepdims=True) - family
    theta = np.where(free, table, 0.5)
    return np.where(free, family / theta - rest / (1 - theta), 0.0)
