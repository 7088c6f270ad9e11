"""The variables that bind a slice to the next, at the slices that somebody asks for."""

import numpy as np

from margin.core import check
from margin.core.types import Floats, Indices
from margin.sequence.dynamic_network._tables import Seen, Tables


def prolonged(seen: Seen, least: int, more: int = 0) -> Seen:
    """The same with unobserved slices behind: at least so many in all, or so many more."""
    sizes = np.diff(seen.offsets)
    longer = np.maximum(sizes, least) + more
    offsets = np.concatenate([[0], np.cumsum(longer)]).astype(np.int64)
    codes = np.full((int(offsets[-1]), seen.slices.n), -1, dtype=np.int64)
    for s, size in enumerate(sizes):
        rows = seen.which[seen.offsets[s] : seen.offsets[s] + size]
        codes[offsets[s] : offsets[s] + size] = seen.kinds[rows]
    return Seen.of(seen.slices, codes, offsets, seen.n_threads)


def interface(owner: object, seen: Seen, tables: Tables, rows: Indices, given: str) -> Floats:
    """Probabilities of the interface at some rows, with that before where both are needed.

    Parameters
    ----------
    owner : object
        Who asks, for messages.
    seen : Seen
    tables : Tables
    rows : ndarray of int
        Slices of all sequences, one after the other.
    given : {"all", "past"}
        Smoothed or filtered.

    Returns
    -------
    ndarray of shape (rows, states) or (rows, states before, states)
    """
    starts = np.isin(rows, seen.starts)
    if given == "all":
        smoothed = seen.smooth(tables)
        _refuse_impossible(owner, smoothed.log_likelihood)
        if smoothed.pairs is None:
            return smoothed.share[rows]
        pairs = smoothed.pairs[np.maximum(rows - 1, 0)]
        pairs[starts] = smoothed.share[rows[starts]][:, None, :] / pairs.shape[1]
        return pairs
    share, values = seen.filter(tables)
    _refuse_impossible(owner, values)
    if seen.slices.separable:
        return share[rows]
    step = seen.over_later(tables)[seen.which[rows]]
    joint = share[np.maximum(rows - 1, 0)][:, :, None] * step
    joint[starts] = share[rows[starts]][:, None, :] / joint.shape[1]
    return joint


def _refuse_impossible(owner: object, values: Floats) -> None:
    bad = np.flatnonzero(values == -np.inf)
    if len(bad):
        raise check.fail(owner, "X", "possible under the model", f"sequence {bad[0]}")
