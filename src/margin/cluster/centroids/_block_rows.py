"""Tables that k-means reads block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from scipy.sparse import issparse

from margin.cluster.seeding._candidates import Candidates, dense, label_sums, nearer_rows
from margin.core import Blocks, check
from margin.core.types import Array, Floats, Indices
from margin.distributions import ColumnMoments
from margin.inference import pass_over
from margin.native.cluster.centres import Pass

Block = tuple[Any, Floats | None]


@dataclass(frozen=True, eq=False)
class BlockRows(Candidates):
    """Blocks of rows that are read anew on every pass: only a few numbers of every row are kept.

    Parameters
    ----------
    owner : object
        Named in errors.
    read : callable
        Opens the checked blocks, rows and weights.
    weights : ndarray of shape (n,)
    n_columns : int
    variance : float
        Mean variance of the columns, weights left aside.
    n_threads : int
    """

    owner: Any
    read: Callable[[], Iterator[Block]]
    weights: Floats
    n_columns: int
    variance: float
    n_threads: int

    @classmethod
    def of(cls, owner: Any, blocks: Any, n_threads: int) -> BlockRows:
        """Blocks as a user gives them, tables or tuples of a table and weights."""
        source = Blocks.of(owner, blocks)

        def read() -> Iterator[Block]:
            for number, block in enumerate(source):
                if len(block) not in (1, 2):
                    need = "of tables X or tuples (X, sample_weight)"
                    raise check.fail(owner, "blocks", need, f"a block of {len(block)} parts")
                X = check.table(owner, block[0], sparse=True, order="C", reset=number == 0)
                weight = block[1] if len(block) == 2 else None
                yield X, check.weights(owner, weight, X.shape[0], part=True)

        weights, moments = [], None
        for X, weight in read():
            part = _moments(X)
            moments = part if moments is None else moments + part
            weights.append(np.ones(X.shape[0]) if weight is None else weight)
        if moments is None:
            raise check.fail(owner, "blocks", "at least one block of rows", "none")
        every = np.concatenate(weights)
        check.weights(owner, every, len(every))
        variance = float(np.mean(moments.scatter / moments.weight))
        return cls(owner, read, every, len(moments.mean), variance, n_threads)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self.weights), self.n_columns

    @property
    def dtype(self) -> np.dtype[Any]:
        """Double precision, whatever the blocks come in."""
        return np.dtype(np.float64)

    def _placed(self) -> Iterator[tuple[slice, Any, Floats | None]]:
        """Every block with the numbers of its rows."""
        first = 0
        for X, weight in self.read():
            last = first + X.shape[0]
            yield slice(first, last), X, weight
            first = last
        if first != len(self.weights):
            need = f"the same in every pass, {len(self.weights)} rows"
            raise check.fail(self.owner, "blocks", need, f"{first} rows")

    def __call__(self, centres: Floats, label: Array | None = None) -> Pass:
        """Labels and sums for these centres."""
        n, k = len(self.weights), len(centres)
        labels, square = np.empty(n, dtype=np.int32), np.empty(n)
        sums, mass = np.zeros((k, self.n_columns)), np.zeros(k)
        inertia, searched = 0.0, 0
        for rows, X, weight in self._placed():
            part = pass_over(X, weight, centres, self.n_threads)
            labels[rows], square[rows] = part.label, part.square
            sums, mass = sums + part.sums, mass + part.mass
            inertia, searched = inertia + part.inertia, searched + part.searched
        changed = n if label is None else int(np.count_nonzero(labels != label))
        return Pass(labels, square, sums, mass, inertia, changed, searched)

    def row(self, number: int) -> Floats:
        """One row, dense, in double precision."""
        return np.asarray(self.rows([number])[0])

    def rows(self, numbers: Indices | Sequence[int]) -> Floats:
        """Rows by number, dense, in double precision."""
        wanted = np.asarray(numbers, dtype=np.intp)
        out = np.empty((len(wanted), self.n_columns))
        for rows, X, _ in self._placed():
            here = np.flatnonzero((wanted >= rows.start) & (wanted < rows.stop))
            out[here] = dense(X[wanted[here] - rows.start])
        return out

    def nearer(self, least: Floats, numbers: Sequence[int]) -> list[Floats]:
        """The least of ``least`` and the squared distances to a row, for each of some rows."""
        points = self.rows(numbers)
        options = [np.empty(len(least)) for _ in points]
        for rows, X, _ in self._placed():
            parts = nearer_rows(X, points, least[rows].copy(), self.n_threads)
            for option, part in zip(options, parts, strict=True):
                option[rows] = part
        return options

    def sums(self, label: Indices, weight: Floats, k: int) -> Floats:
        """Weighted sums of the rows of every label, of shape (k, p)."""
        total = np.zeros((k, self.n_columns))
        for rows, X, _ in self._placed():
            total += label_sums(X, label[rows], weight[rows], k)
        return total

    def mapped(self, change: Callable[[Any], Any]) -> Self:
        """The same rows after a change of each, made anew in every pass."""
        return replace(self, read=lambda: ((change(X), weight) for X, weight in self.read()))

    def each(self, ask: Callable[[Any], Any]) -> list[Any]:
        """What is asked of every block of rows."""
        return [ask(X) for _, X, _ in self._placed()]


def _moments(X: Any) -> ColumnMoments:
    """Moments of the columns of a block."""
    n = X.shape[0]
    if issparse(X):
        mean = np.asarray(X.mean(axis=0), dtype=np.float64).ravel()
        square = np.asarray(X.multiply(X).mean(axis=0), dtype=np.float64).ravel()
        scatter = n * np.maximum(square - mean**2, 0.0)
    else:
        mean = X.mean(axis=0, dtype=np.float64)
        scatter = n * np.var(X, axis=0, dtype=np.float64)
    return ColumnMoments(np.full(len(mean), float(n)), mean, scatter)
