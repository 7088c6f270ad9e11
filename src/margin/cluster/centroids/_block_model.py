"""Models with prototypes whose fit also takes rows block by block."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

from margin.cluster.centroids._block_rows import BlockRows
from margin.cluster.seeding._candidates import Candidates
from margin.core import atomic, check, threads
from margin.core.types import Floats


class BlockModel(ABC):
    """A search that sees rows as :class:`Candidates` only: those of a table, or of blocks."""

    @abstractmethod
    def _check_params(self) -> int:
        """The number of starts."""

    @abstractmethod
    def _search(self, rows: Candidates, weight: Floats | None, count: int) -> Self:
        """Keep the best of several starts."""

    @atomic
    def fit_blocks(self, blocks: Any) -> Self:
        """Fit rows that are read block by block in every pass.

        Parameters
        ----------
        blocks : callable or iterable
            Gives tables of rows, or pairs of rows and weights, as of :meth:`KMeans.fit_blocks`. Of
            every row only its label, weight and cost are kept.

        Returns
        -------
        self
            Equal to the fit in memory up to rounding, starts included.
        """
        count = self._check_params()
        return self._search(*read_blocks(self, blocks), count)


def read_blocks(owner: Any, blocks: Any) -> tuple[BlockRows, Floats | None]:
    """The rows of blocks, and their weights where any is not one.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.cluster import KMeans
    >>> rows, weight = read_blocks(KMeans(), [np.ones((2, 3)), np.zeros((1, 3))])
    >>> rows.shape, weight
    ((3, 3), None)
    """
    if callable(owner.init):
        raise check.fail(owner, "init", "a name or an array for blocks of rows", owner.init)
    rows = BlockRows.of(owner, blocks, threads.count(None))
    return rows, None if (rows.weights == 1).all() else rows.weights
