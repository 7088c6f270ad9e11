"""Log-linear families over cliques, and the likelihood of rows under them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np

from margin.core.types import Floats, Indices
from margin.inference import JunctionTree


@dataclass(frozen=True, eq=False)
class LogLinear:
    r"""Family :math:`p(x) = \frac1Z \exp \sum_c w_c^\top f_c(x_c)` (graphical.23).

    Parameters
    ----------
    cards : tuple of int
        States of each variable.
    scopes : tuple of tuples of int
        Variables of each clique.
    designs : tuple of (ndarray of shape (n_features, n_cells) or None)
        Features :math:`f_c` in every cell of the clique's table, the last variable fastest;
        ``None``: one indicator per cell, that is, an unconstrained potential.

    Examples
    --------
    >>> family = LogLinear((2, 2), ((0, 1),), (np.array([[1.0, 0.0, 0.0, 1.0]]),))
    >>> family.size, family.tables(np.array([np.log(3.0)]))[0].round(6).tolist()
    (1, [[3.0, 1.0], [1.0, 3.0]])
    """

    cards: tuple[int, ...]
    scopes: tuple[tuple[int, ...], ...]
    designs: tuple[Floats | None, ...]

    @cached_property
    def shapes(self) -> list[tuple[int, ...]]:
        """Shape of each clique's table."""
        return [tuple(self.cards[v] for v in scope) for scope in self.scopes]

    @cached_property
    def bounds(self) -> list[int]:
        """Where each clique's weights begin, and the end of the last."""
        sizes = [
            int(np.prod(shape)) if design is None else len(design)
            for shape, design in zip(self.shapes, self.designs, strict=True)
        ]
        return [0, *np.cumsum(sizes).tolist()]

    @property
    def size(self) -> int:
        """Number of weights."""
        return self.bounds[-1]

    @cached_property
    def tree(self) -> JunctionTree:
        """Exact inference; refuses cliques that do not fit into memory."""
        return JunctionTree.compile(self.cards, self.scopes)

    def log_tables(self, weights: Floats) -> list[Floats]:
        """Logarithms of the potentials."""
        tables = []
        parts = pairwise(self.bounds)
        for (a, b), shape, design in zip(parts, self.shapes, self.designs, strict=True):
            part = weights[a:b] if design is None else weights[a:b] @ design
            tables.append(part.reshape(shape))
        return tables

    def tables(self, weights: Floats) -> list[Floats]:
        """Potentials."""
        return [np.exp(t) for t in self.log_tables(weights)]

    def statistics(self, counts: list[Floats]) -> Floats:
        """Sums of the features, from weights of the cells of every clique."""
        parts = [
            c.ravel() if design is None else design @ c.ravel()
            for c, design in zip(counts, self.designs, strict=True)
        ]
        return np.concatenate(parts) if parts else np.empty(0)

    def expectation(self, weights: Floats, n_threads: int | None = None) -> tuple[float, Floats]:
        """Log partition function, and expected features under the model."""
        log_z, counts = self.scaled(weights, None, None, n_threads)
        return float(log_z[0]), self.statistics(counts)

    def log_partition(self, tables: list[Floats]) -> float | None:
        """Logarithm of the sum over all states; ``None`` where the cliques are too wide."""
        nothing = np.full((1, len(self.cards)), -1, dtype=np.int64)
        try:
            return float(self.tree.expected_counts(tables, nothing)[0][0])
        except MemoryError:
            return None

    def scaled(
        self,
        weights: Floats,
        evidence: Indices | None,
        row_weight: Floats | None,
        n_threads: int | None = None,
    ) -> tuple[Floats, list[Floats]]:
        """Log mass of every row of evidence, and expected counts, without overflow.

        Every potential is divided by its largest entry, whose logarithm is added back.
        """
        logs = self.log_tables(weights)
        tops = [float(t.max()) for t in logs]
        tables = [np.exp(t - top) for t, top in zip(logs, tops, strict=True)]
        nothing = np.full((1, len(self.cards)), -1, dtype=np.int64)
        given = nothing if evidence is None else evidence
        log_mass, counts = self.tree.expected_counts(tables, given, row_weight, n_threads=n_threads)
        return log_mass + sum(tops), counts

    def cells(self, codes: Indices) -> list[Indices]:
        """Cell of every complete row in every clique's table."""
        cells = []
        for scope, shape in zip(self.scopes, self.shapes, strict=True):
            cell = np.zeros(len(codes), dtype=np.int64)
            for variable, card in zip(scope, shape, strict=True):
                cell = cell * card + codes[:, variable]
            cells.append(cell)
        return cells

    def counts(self, codes: Indices, row_weight: Floats) -> list[Floats]:
        """Weight of the rows in every cell of every clique; rows must be complete."""
        return [
            np.bincount(cell, row_weight, int(np.prod(shape))).astype(float).reshape(shape)
            for cell, shape in zip(self.cells(codes), self.shapes, strict=True)
        ]
