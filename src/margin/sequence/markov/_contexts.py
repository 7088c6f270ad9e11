"""States of sequences as codes, and how often each follows each context."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import Sequences, check
from margin.core.types import Floats, Indices
from margin.sequence._one_sequence import is_one, refuse_complex, refuse_sparse


@dataclass(frozen=True)
class Coded:
    """States of all sequences one after the other; -1 is unobserved."""

    codes: Indices
    offsets: Indices
    n_states: int
    given: str

    @property
    def n(self) -> int:
        """Number of sequences."""
        return len(self.offsets) - 1

    def __iter__(self) -> Iterator[Indices]:
        for first, last in zip(self.offsets[:-1], self.offsets[1:], strict=True):
            yield self.codes[first:last]


def coded(owner: object, X: Any, lengths: Any, n_states: int | None) -> Coded:
    """Checked sequences of states 0, 1, …; one array without ``lengths`` is one sequence.

    An array with several columns is many sequences of equal length, a row each.

    Examples
    --------
    >>> coded("MarkovChain", [[0, 1], [2]], None, None).n_states
    3
    """
    refuse_sparse(owner, X)
    if not hasattr(X, "__len__"):
        wanted = "a list of arrays, Sequences or a dense array"
        raise check.fail(owner, "X", wanted, type(X).__name__)
    given = "list"
    try:
        if lengths is not None:
            whole = Sequences(np.asarray(X), lengths=np.asarray(lengths))
        elif isinstance(X, Sequences):
            whole = X
        elif is_one(X) and (np.ndim(X) == 1 or np.shape(X)[1:] == (1,)):
            whole, given = Sequences([np.asarray(X)]), "one"
        else:
            whole = Sequences([np.asarray(x) for x in X])
    except ValueError as error:
        text = str(error).removeprefix("Sequences: ")
        raise ValueError(f"{check.named(owner)}: {text}") from error
    refuse_complex(owner, whole.buffer)
    try:
        flat = np.asarray(whole.buffer, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise check.fail(owner, "X", "sequences of states 0, 1, …", whole.dtype) from error
    flat = flat[:, 0] if flat.ndim == 2 and flat.shape[1] == 1 else flat
    if flat.ndim != 1 or not flat.size:
        raise check.fail(owner, "X", "sequences of at least one state", f"shape {flat.shape}")
    seen = flat[~np.isnan(flat)]
    good = np.isfinite(seen) & (seen >= 0) & (seen == np.floor(seen))
    if not good.all():
        raise check.fail(
            owner, "X", "states 0, 1, …, or NaN where unobserved", float(seen[~good][0])
        )
    least = int(seen.max(initial=0)) + 1
    if n_states is not None and n_states < least:
        raise check.fail(owner, "X", f"states 0 to {n_states - 1}", least - 1)
    codes = np.where(np.isnan(flat), -1, flat).astype(np.int64)
    return Coded(codes, whole.offsets.astype(np.int64), n_states or least, given)


def contexts(data: Coded, order: int, *, first: bool) -> tuple[Indices, Indices]:
    """Where a state with a full observed context stands, and the number of context and state.

    With ``first`` only the step right after the first ``order`` states of each sequence.
    """
    n, k = len(data.codes), data.n_states
    step = np.arange(n) - np.repeat(data.offsets[:-1], np.diff(data.offsets))
    good = (step == order) if first else (step >= order)
    number = np.zeros(n, dtype=np.int64)
    for back in range(order, -1, -1):
        state = np.full(n, -1, dtype=np.int64)
        state[back:] = data.codes[: n - back]
        good = good & (state >= 0)
        number = number * k + state
    at = np.flatnonzero(good)
    return at, number[at]


def context_counts(data: Coded, order: int, weight: Floats | None, *, first: bool) -> Floats:
    """How often each state follows each context, of shape (K**order, K)."""
    at, number = contexts(data, order, first=first)
    each = None if weight is None else np.repeat(weight, np.diff(data.offsets))[at]
    size = data.n_states ** (order + 1)
    return np.bincount(number, each, minlength=size).reshape(-1, data.n_states).astype(np.float64)


def shown_states(data: Coded) -> Floats:
    """Log likelihood of every state at every step: 0 where it may be, minus infinity elsewhere."""
    table = np.full((len(data.codes), data.n_states), -np.inf)
    table[data.codes < 0] = 0.0
    here = np.flatnonzero(data.codes >= 0)
    table[here, data.codes[here]] = 0.0
    return table
