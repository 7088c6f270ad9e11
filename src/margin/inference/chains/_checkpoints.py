"""Smoothing of a long sequence in little memory."""

from collections.abc import Callable, Iterator
from math import isqrt
from typing import Any, NamedTuple

import numpy as np

from margin.core.types import Floats
from margin.native.chains import messages

_LEAST = 1024  # steps of a piece where nothing has to be kept of it


class Piece(NamedTuple):
    """Some steps of a sequence, smoothed: rows ``first`` to ``last`` and their posterior."""

    first: int
    last: int
    posterior: Floats


class Swept(NamedTuple):
    """Expected counts of transitions, log likelihood, and the sum of what was made of pieces."""

    counts: Floats
    log_likelihood: float
    total: Any


def chain_smooth_pieces(
    log_emission: Callable[[int, int], Floats],
    length: int,
    start: Floats,
    transition: Floats,
    consume: Callable[[Piece], Any],
    *,
    size: int | None = None,
) -> Swept:
    r"""Smooth a sequence piece by piece, with memory in proportion to the root of its length.

    Forward, only the prediction at the beginning of every piece is kept; backward, each piece is
    smoothed again between its prediction and the message from behind it, and consumed at once.

    Parameters
    ----------
    log_emission : callable
        ``log_emission(first, last)`` gives the table of these rows, of shape (last - first, K).
    length : int
        Number of steps ``T``.
    start, transition : ndarray of shape (K,), (K, K)
    consume : callable
        Makes statistics, which add up, of a :class:`Piece`.
    size : int, optional
        Steps of a piece; :math:`\sqrt T` by default.

    Returns
    -------
    Swept
        With the log likelihood minus infinity, and nothing else, where the sequence is impossible.

    Notes
    -----
    :math:`O(\sqrt T K)` memory, and half as much work again as with all of it.

    Examples
    --------
    >>> import numpy as np
    >>> table = np.log([[0.9, 0.2], [0.9, 0.2], [0.1, 0.8]])
    >>> A = np.array([[0.7, 0.3], [0.4, 0.6]])
    >>> swept = chain_smooth_pieces(
    ...     lambda a, b: table[a:b], 3, np.array([0.6, 0.4]), A,
    ...     lambda piece: piece.posterior.sum(axis=0), size=2,
    ... )
    >>> round(float(np.exp(swept.log_likelihood)), 6), swept.total.round(6)
    (0.13623, array([1.939441, 1.060559]))
    """
    step = size or max(isqrt(length), 1)
    begins = range(0, length, step)
    predicted, value, ends = [np.asarray(start, dtype=np.float64)], 0.0, []
    for state, so_far in _forward(log_emission, length, start, transition, step):
        value = so_far
        if value == -np.inf:
            return Swept(np.zeros_like(transition), value, None)
        ends.append(state)
        predicted.append(state @ transition)
    counts, total, behind = np.zeros_like(transition), None, np.ones(len(start))
    for p in reversed(range(len(begins))):
        first, last = begins[p], min(begins[p] + step, length)
        table = np.ascontiguousarray(log_emission(first, last))
        posterior, inner, _ = messages.forward_backward(
            table, np.array([0, len(table)]), predicted[p], transition, 1, final=behind
        )
        counts += inner
        consumed = consume(Piece(first, last, posterior))
        total = consumed if total is None else total + consumed
        if p:
            # Likelihood of the rest given each state here, up to a factor.
            reached = predicted[p] > 0
            rest = np.where(reached, posterior[0] / np.where(reached, predicted[p], 1.0), 0.0)
            joint = ends[p - 1][:, None] * transition * rest
            counts += joint / joint.sum()
            behind = transition @ rest
            behind = behind / behind.max()
    return Swept(counts, value, total)


def chain_filter_last(
    log_emission: Callable[[int, int], Floats],
    length: int,
    start: Floats,
    transition: Floats,
    *,
    size: int | None = None,
) -> tuple[Floats, float]:
    """State at the end of a sequence given all of it, and its log likelihood, in little memory.

    Parameters
    ----------
    log_emission, length, start, transition, size
        As for :func:`chain_smooth_pieces`; pieces have at least 1 024 steps by default.

    Returns
    -------
    state : ndarray of shape (K,)
    log_likelihood : float
        Minus infinity where the sequence is impossible; then the state means nothing.

    Examples
    --------
    >>> import numpy as np
    >>> table = np.log([[0.9, 0.2], [0.9, 0.2], [0.1, 0.8]])
    >>> A = np.array([[0.7, 0.3], [0.4, 0.6]])
    >>> state, value = chain_filter_last(
    ...     lambda a, b: table[a:b], 3, np.array([0.6, 0.4]), A, size=2
    ... )
    >>> state.round(6), round(float(np.exp(value)), 6)
    (array([0.201938, 0.798062]), 0.13623)
    """
    step = max(_LEAST, isqrt(length)) if size is None else size
    end = (np.asarray(start, dtype=np.float64), 0.0)
    for reached in _forward(log_emission, length, start, transition, step):
        end = reached
        if end[1] == -np.inf:
            break
    return end


def _forward(
    log_emission: Callable[[int, int], Floats],
    length: int,
    start: Floats,
    transition: Floats,
    step: int,
) -> Iterator[tuple[Floats, float]]:
    """Filtered state at the end of every piece, and the log likelihood so far."""
    ahead, value = np.asarray(start, dtype=np.float64), 0.0
    for first in range(0, length, step):
        table = np.ascontiguousarray(log_emission(first, min(first + step, length)))
        ends = np.array([0, len(table)])
        states, values = messages.filtered_states(table, ends, ahead, transition, 1)
        value += float(values[0])
        yield states[-1].copy(), value
        ahead = states[-1] @ transition
