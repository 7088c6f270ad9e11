"""Rows of a kernel matrix, the most recently used of them kept."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Indices
from margin.native.duals.smo import gather, keep

BLOCK = 2_000_000
MOVED = 64

Evaluate = Callable[[Indices], NDArray[Any]]


class RowCache:
    """A bounded number of matrix rows; the one that was not asked for longest makes room.

    Parameters
    ----------
    evaluate : callable
        ``evaluate(rows) -> (len(rows), width)``, computes rows of the matrix.
    n_rows, width : int
        Shape of the matrix.
    capacity : int
        Rows kept; no request may be for more.
    dtype : data type
        Of the rows kept.
    memory : ndarray, optional
        One-dimensional, of that data type: used again if it is large enough.
    n_threads : int, optional
        Threads that move rows.

    Examples
    --------
    >>> matrix = np.arange(12.0).reshape(4, 3)
    >>> cache = RowCache(lambda rows: matrix[rows], 4, 3, capacity=2, dtype=np.float64)
    >>> slots = cache.fetch(np.array([3, 1]))
    >>> cache.rows[slots][:, 0]
    array([9., 3.])
    >>> int(cache.fetch(np.array([1]))[0]) == int(slots[1]), cache.n_computed
    (True, 2)
    """

    def __init__(
        self,
        evaluate: Evaluate,
        n_rows: int,
        width: int,
        *,
        capacity: int,
        dtype: Any,
        memory: NDArray[Any] | None = None,
        n_threads: int = 1,
    ) -> None:
        self.evaluate, self.n_threads = evaluate, n_threads
        self.capacity = max(1, min(capacity, n_rows))
        size = self.capacity * width
        if memory is None or memory.dtype != dtype or memory.size < size:
            memory = np.empty(size, dtype=dtype)
        self.memory = memory
        self.rows: NDArray[Any] = self.memory[:size].reshape(self.capacity, width)
        self.n_computed = 0
        self._slot_of: Indices = np.full(n_rows, -1, dtype=np.int64)
        self._row_in: Indices = np.full(self.capacity, -1, dtype=np.int64)
        self._used: Indices = np.zeros(self.capacity, dtype=np.int64)
        self._clock = 0

    def fetch(self, rows: Indices) -> Indices:
        """Slots of distinct rows in ``self.rows``; what is absent is computed in one block."""
        if len(rows) > self.capacity:
            raise ValueError(f"RowCache: rows must be at most {self.capacity}, got {len(rows)}")
        self._clock += 1
        slots = self._slot_of[rows]
        absent = slots < 0
        self._used[slots[~absent]] = self._clock
        missing = rows[absent]
        if len(missing):
            room = self._oldest(len(missing))
            self._slot_of[self._row_in[room[self._row_in[room] >= 0]]] = -1
            # Small blocks: fresh pages for a large temporary cost as much as its values.
            size = max(1, BLOCK // max(1, self.rows.shape[1]))
            for at in range(0, len(missing), size):
                block = self.evaluate(missing[at : at + size])
                values = np.ascontiguousarray(block, dtype=self.rows.dtype)
                keep(values, room[at : at + size], self.rows, self.n_threads)
            self._row_in[room], self._used[room] = missing, self._clock
            self._slot_of[missing] = room
            self.n_computed += len(missing)
            slots = self._slot_of[rows]
        return slots

    def restrict(self, chosen: Indices, evaluate: Evaluate) -> None:
        """Narrow the matrix to the chosen columns, and forget the rows that are not among them.

        The same memory then has room for more rows.
        """
        width, flat = len(chosen), self.memory
        capacity = min(len(self._slot_of), flat.size // max(1, width))
        slots = np.sort(self._slot_of[chosen[self._slot_of[chosen] >= 0]])
        kept = self._row_in[slots]
        # In the order of the slots a row moves towards the front and never over one still needed.
        for at in range(0, len(slots), MOVED):
            block = gather(self.rows, slots[at : at + MOVED], chosen, self.n_threads)
            flat[at * width : at * width + block.size] = block.reshape(-1)
        used = self._used[slots]
        self.rows = flat[: capacity * width].reshape(capacity, width)
        self._slot_of[:] = -1
        self._slot_of[kept] = np.arange(len(kept))
        self._row_in = np.full(capacity, -1, dtype=np.int64)
        self._used = np.zeros(capacity, dtype=np.int64)
        self._row_in[: len(kept)], self._used[: len(kept)] = kept, used
        self.capacity, self.evaluate = capacity, evaluate

    def _oldest(self, count: int) -> Indices:
        if count == self.capacity:
            return np.arange(count, dtype=np.int64)
        return np.argpartition(self._used, count - 1)[:count].astype(np.int64)


class WholeMatrix:
    """A matrix in memory behind the face of a cache: every row is in the slot of its number."""

    def __init__(self, matrix: NDArray[Any]) -> None:
        self.rows = np.ascontiguousarray(matrix)

    def fetch(self, rows: Indices) -> Indices:
        """The rows themselves."""
        return rows
