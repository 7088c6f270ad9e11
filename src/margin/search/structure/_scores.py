"""Scores of Bayesian networks that are sums over families."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Array
from margin.native.structure import structure
from margin.search.structure._blocks import Blocks
from margin.search.structure._categories import Categories
from margin.search.structure._moments import Moments

SCORES = ("bic", "aic", "bdeu", "k2")


@dataclass(frozen=True, eq=False)
class NetworkScore:
    r"""Score of a graph as a sum over nodes of a function of the node and its parents.

    ``"bic"``: :math:`\log L - \tfrac12 d \log n`; ``"aic"``: :math:`\log L - d`, with :math:`d`
    free parameters, both at the maximum-likelihood tables or regressions; ``"bdeu"`` and ``"k2"``:
    log marginal likelihood under Dirichlet priors of :math:`\alpha / (q_i r_i)` and of one per cell
    (graphical.37). All but ``"k2"`` are equal for Markov equivalent graphs. Larger is better.

    A family is counted on the rows that know all of it, and its log likelihood is scaled to all
    rows (the node-average likelihood), which keeps families with different unknown values
    comparable as long as values are missing completely at random. Numbers beside categories are
    scored as :class:`Blocks`.

    Parameters
    ----------
    names : tuple
        Names of the nodes.
    kind : str
        One of the scores above.
    scorer : object
        The compiled scorer, with its cache.

    Examples
    --------
    >>> table = Categories.of("Example", [[0, 0], [0, 0], [1, 1], [1, 1]])
    >>> score = NetworkScore.of("Example", table, "bic")
    >>> round(score.family(1, []), 6), round(score.family(1, [0]), 6)
    (-3.465736, -1.386294)
    """

    names: tuple[Any, ...]
    kind: str
    scorer: Any

    @classmethod
    def of(
        cls,
        owner: str,
        data: Categories | Moments | Blocks,
        kind: str = "bic",
        *,
        equivalent_sample_size: float = 10.0,
        penalty_rows: float | None = None,
    ) -> NetworkScore:
        """Score of graphs over the columns of ``data``.

        BIC takes the logarithm of ``penalty_rows``, by default of the number of rows.
        """
        rows = penalty_rows
        if isinstance(data, Moments | Blocks):
            if kind not in ("bic", "aic"):
                raise check.fail(owner, "score", "'bic' or 'aic' for Gaussian columns", kind)
            moments = data.moments if isinstance(data, Blocks) else data
            covariance = np.ascontiguousarray(moments.covariance)
            scorer = (
                structure.block_scorer(covariance, data.sizes, moments.n_rows, kind, rows)
                if isinstance(data, Blocks)
                else structure.gaussian_scorer(covariance, moments.n_rows, kind, rows)
            )
            return cls(data.names, kind, scorer)
        if kind not in SCORES:
            raise check.fail(owner, "score", f"one of {', '.join(map(repr, SCORES))}", kind)
        table = data.compressed()
        scorer = structure.categorical_scorer(
            table.codes, table.cards, table.weight, kind, float(equivalent_sample_size), rows
        )
        return cls(data.names, kind, scorer)

    @classmethod
    def switched(cls, parts: Sequence[NetworkScore], which: Sequence[int]) -> NetworkScore:
        """Score in which node ``j`` is scored by ``parts[which[j]]``.

        Where experiments set some nodes, a node is scored on the rows in which it was not set.
        """
        first = parts[0]
        scorer = structure.switched_scorer([part.scorer for part in parts], which)
        return cls(first.names, first.kind, scorer)

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.names)

    @property
    def n_evaluated(self) -> int:
        """Families scored so far."""
        return int(self.scorer.n_evaluated)

    def family(self, child: int, parents: Iterable[int]) -> float:
        """Score of one node with these parents."""
        return float(self.scorer.score(int(child), [int(i) for i in parents]))

    def total(self, adjacency: Array) -> float:
        """Score of the graph with arcs where ``adjacency[parent, child]`` is not zero."""
        return sum(self.family(j, np.flatnonzero(adjacency[:, j])) for j in range(self.n_nodes))
