"""Sequences as they come, and as the engines take them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core import Sequences, check
from margin.core.types import Array, Bools, Floats, Indices
from margin.sequence._one_sequence import is_one, refuse_complex, refuse_sparse

_BLOCK = 8192  # rows that are looked at together


@dataclass(frozen=True)
class Observed:
    """Rows of all sequences one after the other; NaN means unobserved.

    Parameters
    ----------
    rows : ndarray of shape (T, d)
    offsets : ndarray of shape (n + 1,)
    given : {"one", "joined", "list"}
        How the sequences came, so that answers leave the same way.
    """

    rows: Floats
    offsets: Indices
    given: str

    @property
    def n(self) -> int:
        """Number of sequences."""
        return len(self.offsets) - 1

    @property
    def lengths(self) -> Indices:
        """Length of each."""
        return np.diff(self.offsets)

    def returned(self, values: Array) -> Any:
        """One value for every row, as the sequences came."""
        if self.given != "list":
            return values
        return Sequences(values, lengths=self.lengths)

    def last(self) -> "Observed":
        """The last sequence that has a step."""
        some = np.flatnonzero(self.lengths > 0)[-1]
        first, end = self.offsets[some], self.offsets[some + 1]
        return Observed(self.rows[first:end], np.array([0, end - first]), "one")

    def kept(self, keep: Bools) -> tuple["Observed", Bools]:
        """Some of the sequences, and which rows are theirs."""
        rows = np.repeat(keep, self.lengths)
        offsets = np.concatenate([[0], np.cumsum(self.lengths[keep])]).astype(np.int64)
        return Observed(self.rows[rows], offsets, self.given), rows


def observed(
    owner: object,
    X: Any,
    lengths: Any = None,
    *,
    n_features: int | None = None,
) -> Observed:
    """Checked sequences: a list of arrays, :class:`Sequences`, ``X, lengths=``, or one array.

    One array of rows without ``lengths`` is one sequence; one of three axes is a list. Numbers
    alone are rows of one column.

    Examples
    --------
    >>> observed("HMM", [[1.0, 2.0], [3.0]]).offsets
    array([0, 2, 3])
    >>> observed("HMM", [[[1.0, 2.0]], [[3.0]]])
    Traceback (most recent call last):
    ValueError: HMM: every sequence must have rows of 2 columns, got 1 in sequence 1
    """
    refuse_sparse(owner, X)
    if not hasattr(X, "__len__"):
        wanted = "a list of arrays, Sequences or a dense array"
        raise check.fail(owner, "X", wanted, type(X).__name__)
    if isinstance(X, Sequences) and lengths is None:
        data = _checked(owner, X.buffer, X.offsets, "list")
    elif lengths is not None:
        buffer = _numbers(owner, X.buffer if isinstance(X, Sequences) else X)
        try:
            whole = Sequences(buffer, lengths=np.asarray(lengths))
        except ValueError as error:
            raise ValueError(
                f"{check.named(owner)}: {str(error).removeprefix('Sequences: ')}"
            ) from error
        data = _checked(owner, buffer, whole.offsets, "joined")
    elif is_one(X):
        buffer = _numbers(owner, X)
        data = _checked(owner, buffer, np.array([0, len(buffer)]), "one")
    else:
        parts = [_columns(_numbers(owner, x)) for x in X]
        if not parts:
            raise check.fail(owner, "X", "at least one sequence", "none")
        for i, part in enumerate(parts):
            if part.shape[1] != parts[0].shape[1]:
                raise ValueError(
                    f"{check.named(owner)}: every sequence must have rows of "
                    f"{parts[0].shape[1]} columns, got {part.shape[1]} in sequence {i}"
                )
        offsets = np.concatenate([[0], np.cumsum([len(p) for p in parts])])
        data = _checked(owner, np.concatenate(parts), offsets, "list")
    if n_features is not None and data.rows.shape[1] != n_features:
        raise ValueError(
            f"{check.named(owner)}: X must have rows of {n_features} columns as in fit, "
            f"got {data.rows.shape[1]}"
        )
    return data


def allowed_states(owner: object, y: Any, data: Observed, n_states: int) -> Bools | None:
    """Which states each row may be in: all, or the one that is known; -1 and NaN are unknown."""
    if y is None:
        return None
    if not hasattr(y, "__len__"):
        raise check.fail(owner, "y", "a state for every step of every sequence", y)
    if not isinstance(y, Sequences) and not is_one(y):
        y = Sequences([_states(owner, part) for part in y])
    flat = _states(owner, y.buffer if isinstance(y, Sequences) else y)
    right = flat.shape == (len(data.rows),)
    if isinstance(y, Sequences):
        right = right and np.array_equal(y.offsets, data.offsets)
    if not right:
        raise check.fail(
            owner, "y", "a state for every step of every sequence", f"shape {flat.shape}"
        )
    known = ~np.isnan(flat) & (flat != -1)
    codes = flat[known]
    if len(codes) and not (
        np.all(codes == np.floor(codes)) and codes.min() >= 0 and codes.max() < n_states
    ):
        raise check.fail(
            owner, "y", f"states 0 to {n_states - 1}, or -1 where unknown", codes.max()
        )
    allowed = np.ones((len(flat), n_states), dtype=bool)
    allowed[known] = np.arange(n_states) == codes[:, None]
    return allowed


def counted_sequences(
    owner: object, data: Observed, y: Any, sample_weight: Any, n_states: int
) -> tuple[Observed, Bools | None, Floats | None]:
    """Sequences, states that rows may be in, and weights; sequences of weight zero are none."""
    allowed = allowed_states(owner, y, data, n_states)
    weight = check.weights(owner, sample_weight, data.n)
    if weight is None or weight.all():
        return data, allowed, weight
    kept, rows = data.kept(weight > 0)
    return kept, None if allowed is None else allowed[rows], weight[weight > 0]


def _states(owner: object, y: Any) -> Floats:
    try:
        return np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError) as error:
        wanted = "states 0, 1, …, or -1 where unknown"
        raise check.fail(owner, "y", wanted, type(y).__name__) from error


def _numbers(owner: object, X: Any) -> Floats:
    try:
        table = np.asarray(X)
        numbers = table if table.dtype.kind == "c" else np.asarray(table, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise check.fail(
            owner, "X", "sequences of numbers of equal width", type(X).__name__
        ) from error
    refuse_complex(owner, numbers)
    return numbers


def _columns(rows: NDArray[Any]) -> Floats:
    return rows[:, None] if rows.ndim == 1 else rows


def refuse_unseen(owner: object, data: Observed) -> None:
    """Refuse to learn from a column that is observed nowhere."""
    unseen = np.ones(data.rows.shape[1], dtype=bool)
    for at in range(0, len(data.rows), _BLOCK):
        unseen &= np.isnan(data.rows[at : at + _BLOCK]).all(axis=0)
        if not unseen.any():
            return
    if unseen.all():
        raise check.fail(owner, "X", "observed somewhere", "NaN everywhere")
    told = f"NaN everywhere in column {np.flatnonzero(unseen)[0]}"
    raise check.fail(owner, "X", "observed somewhere in every column", told)


def _checked(owner: object, buffer: Any, offsets: Any, given: str) -> Observed:
    rows = _columns(_numbers(owner, buffer))
    if rows.ndim != 2 or not rows.shape[1]:
        raise check.fail(owner, "X", "rows of at least one number", f"shape {rows.shape}")
    if not len(rows):
        raise check.fail(owner, "X", "sequences of at least one step in all", "none")
    for at in range(0, len(rows), _BLOCK):
        if np.isinf(rows[at : at + _BLOCK]).any():
            raise check.fail(owner, "X", "finite, or NaN where unobserved", "infinity")
    return Observed(np.ascontiguousarray(rows), np.asarray(offsets, dtype=np.int64), given)
