"""Rows with gaps as weighted complete rows: the expectation step of structure learning."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from margin.core.types import Floats, Ints, Places
from margin.graphical.engines._ancestral import draw

Posterior = Callable[[Ints], list[Floats]]

_NEGLIGIBLE = 1e-12


def complete(
    posterior: Posterior, rows: Ints, weight: Floats, limit: int, rng: np.random.Generator
) -> tuple[Ints, Floats]:
    r"""All completions of every row, weighted by their posterior probability.

    By the chain rule, one gap after the other: a row branches into the states of its first gap.
    Counts over the weighted rows are the expected counts
    :math:`\sum_r w_r\, p(x_S \mid e_r)` of any set of columns. A row that would have more than
    ``limit`` completions is drawn from then on, which keeps its counts right on average.

    Parameters
    ----------
    posterior : callable
        Marginals of every column, of shape (n_rows, n_states), for rows of codes.
    rows : ndarray of shape (n_rows, n_columns)
        Codes, -1 where unknown.
    weight : ndarray of shape (n_rows,)
    limit : int
        Most completions of a row.
    rng : Generator

    Returns
    -------
    rows, weight : ndarray
        Complete rows and their weights.

    Examples
    --------
    >>> def posterior(rows):
    ...     return [np.tile([0.25, 0.75], (len(rows), 1))] * 2
    >>> gaps = np.array([[0, 1], [-1, 0]], dtype=np.int32)
    >>> rows, weight = complete(posterior, gaps, np.ones(2), 10, np.random.default_rng(0))
    >>> rows.tolist(), weight.tolist()
    ([[0, 1], [0, 0], [1, 0]], [1.0, 0.25, 0.75])
    """
    origin = np.arange(len(rows))
    whole: list[Ints] = []
    masses: list[Floats] = []
    while True:
        gap = (rows < 0).any(axis=1)
        whole.append(rows[~gap])
        masses.append(weight[~gap])
        rows, weight, origin = rows[gap], weight[gap], origin[gap]
        if not len(rows):
            return np.concatenate(whole), np.concatenate(masses)
        first = (rows < 0).argmax(axis=1)
        chances = _chances(posterior, rows, first)
        branches = (chances > _NEGLIGIBLE).sum(axis=1)
        completions = np.bincount(origin, weights=branches)[origin]
        branching = completions <= limit
        at, state = np.nonzero((chances > _NEGLIGIBLE) & branching[:, None])
        lone = np.flatnonzero(~branching)
        at, state = np.append(at, lone), np.append(state, draw(chances[lone], rng))
        share = np.where(branching[at], chances[at, state], 1.0)
        rows, weight, origin = rows[at], weight[at] * share, origin[at]
        rows[np.arange(len(rows)), first[at]] = state


def _chances(posterior: Posterior, rows: Ints, column: Places) -> Floats:
    """Posterior of one column of every row, with zeros for states that it does not have."""
    distinct, back = np.unique(rows, axis=0, return_inverse=True)
    marginals = posterior(distinct)
    table = np.zeros((len(rows), max(m.shape[1] for m in marginals)))
    for v in np.unique(column):
        here = np.flatnonzero(column == v)
        table[here, : marginals[v].shape[1]] = marginals[v][back.ravel()[here]]
    return table
