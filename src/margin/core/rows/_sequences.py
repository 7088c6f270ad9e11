"""Ragged data: many sequences in one buffer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import issparse


class Sequences(Sequence[NDArray[Any]]):
    """A list of arrays of different lengths, held as one buffer plus offsets.

    Behaves as a list of arrays: indexing by an integer gives one sequence (a view), by a slice,
    an integer array or a boolean mask gives :class:`Sequences`. A sequence is a sample, so
    splitting, cross-validation and grid search of scikit-learn work on it unchanged.

    Parameters
    ----------
    X : list of arrays, Sequences, or array of shape (total_length, ...)
        The data. With ``lengths``, all sequences one after the other.
    lengths : array-like of int, optional
        Length of each sequence when ``X`` is one concatenated array.

    Examples
    --------
    >>> import numpy as np
    >>> s = Sequences([[1.0, 2.0, 3.0], [4.0], [5.0, 6.0]])
    >>> s
    Sequences(3 sequences, lengths 1 to 3, 6 rows of shape (), float64)
    >>> s[0], len(s[[0, 2]])
    (array([1., 2., 3.]), 2)
    >>> Sequences(np.arange(5), lengths=[2, 3])[1]
    array([2, 3, 4])
    """

    buffer: NDArray[Any]
    offsets: NDArray[np.intp]

    def __init__(self, X: Any, lengths: ArrayLike | None = None) -> None:
        if issparse(X):
            need = "a list of arrays or a dense array"
            raise ValueError(f"Sequences: X must be {need}, got {type(X).__name__!r}")
        if isinstance(X, Sequences) and lengths is None:
            self.buffer, self.offsets = X.buffer, X.offsets
        elif lengths is not None:
            self.buffer = np.asarray(X.buffer if isinstance(X, Sequences) else X)
            self.offsets = _offsets(np.asarray(lengths), len(self.buffer))
        else:
            arrays = [np.asarray(x) for x in X]
            self.buffer = _concatenate(arrays)
            self.offsets = _offsets(np.array([len(a) for a in arrays], dtype=np.intp), None)

    @property
    def lengths(self) -> NDArray[np.intp]:
        """Length of each sequence."""
        return np.diff(self.offsets)

    @property
    def shape(self) -> tuple[int]:
        """``(n_sequences,)``: what scikit-learn counts as samples."""
        return (len(self),)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Type of the entries."""
        return self.buffer.dtype

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[NDArray[Any]]:
        for start, stop in zip(self.offsets[:-1], self.offsets[1:], strict=True):
            yield self.buffer[start:stop]

    @overload
    def __getitem__(self, key: int) -> NDArray[Any]: ...
    @overload
    def __getitem__(self, key: slice) -> Sequences: ...
    @overload
    def __getitem__(self, key: Any) -> Any: ...
    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple) and len(key) == 2 and key[1] is Ellipsis:
            key = key[0]
        if isinstance(key, int | np.integer):
            index = range(len(self))[key]
            return self.buffer[self.offsets[index] : self.offsets[index + 1]]
        if isinstance(key, slice):
            if key.step in (None, 1):
                return self._contiguous(key)
            chosen = np.arange(len(self))[key]
        else:
            chosen = np.asarray(key)
            if chosen.dtype == bool and chosen.shape != self.shape:
                raise IndexError(
                    f"Sequences: mask must have {len(self)} entries, got shape {chosen.shape}"
                )
            if chosen.ndim != 1:
                raise IndexError(f"Sequences: index must be one-dimensional, got {key!r}")
            chosen = np.arange(len(self))[chosen if chosen.size else chosen.astype(np.intp)]
        return self._gather(chosen)

    def _contiguous(self, key: slice) -> Sequences:
        start, stop, _ = key.indices(len(self))
        offsets = self.offsets[start : max(start, stop) + 1]
        return _build(self.buffer[offsets[0] : offsets[-1]], offsets - offsets[0])

    def _gather(self, chosen: NDArray[np.intp]) -> Sequences:
        lengths = self.lengths[chosen]
        offsets = _offsets(lengths, None)
        rows = np.repeat(self.offsets[chosen] - offsets[:-1], lengths) + np.arange(offsets[-1])
        return _build(self.buffer[rows], offsets)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequences):
            return NotImplemented
        return np.array_equal(self.offsets, other.offsets) and np.array_equal(
            self.buffer, other.buffer
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        span = f"{self.lengths.min()} to {self.lengths.max()}" if len(self) else "none"
        return (
            f"Sequences({len(self)} sequences, lengths {span}, {len(self.buffer)} rows of "
            f"shape {self.buffer.shape[1:]}, {self.dtype})"
        )


def _build(buffer: NDArray[Any], offsets: NDArray[np.intp]) -> Sequences:
    sequences = Sequences.__new__(Sequences)
    sequences.buffer, sequences.offsets = buffer, offsets
    return sequences


def _concatenate(arrays: list[NDArray[Any]]) -> NDArray[Any]:
    if not arrays:
        return np.empty(0)
    for i, array in enumerate(arrays):
        if array.ndim == 0 or array.shape[1:] != arrays[0].shape[1:]:
            raise ValueError(
                f"Sequences: every sequence must have rows of shape {arrays[0].shape[1:]}, "
                f"got an array of shape {array.shape} at position {i}"
            )
    return np.concatenate(arrays)


def _offsets(lengths: NDArray[Any], total: int | None) -> NDArray[np.intp]:
    if lengths.ndim != 1 or (lengths.size and lengths.dtype.kind not in "iu"):
        raise ValueError(
            f"Sequences: lengths must be a one-dimensional array of integers, got {lengths!r}"
        )
    if (lengths < 0).any():
        raise ValueError(f"Sequences: lengths must be at least 0, got {lengths.min()}")
    offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.intp)
    if total is not None and offsets[-1] != total:
        raise ValueError(f"Sequences: lengths must sum to {total}, got {offsets[-1]}")
    return offsets
