"""Counting: how often each state of a node was seen with each state of its parents."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Floats


def family_counts(
    codes: NDArray[np.integer],
    family: Sequence[int],
    cards: Sequence[int],
    weight: Floats | None = None,
) -> Floats:
    r"""Counts :math:`N_{u, x}` of a family, of shape of its cardinalities (graphical.17).

    Rows where some variable of the family is unobserved (-1) are passed over.

    Parameters
    ----------
    codes : ndarray of int, shape (n_rows, n_variables)
        Codes of the states.
    family : sequence of int
        Columns: the parents, then the node.
    cards : sequence of int
        Cardinality of each column of the family.
    weight : ndarray of shape (n_rows,), optional
        Weight of each row.

    Examples
    --------
    >>> codes = np.array([[0, 1], [0, 1], [1, 0], [1, -1]])
    >>> family_counts(codes, [0, 1], [2, 2]).tolist()
    [[0.0, 2.0], [1.0, 0.0]]
    """
    columns = codes[:, list(family)]
    seen = (columns >= 0).all(axis=1)
    if not seen.all():
        columns = columns[seen]
        weight = None if weight is None else weight[seen]
    key = np.zeros(len(columns), dtype=np.int64)
    for at, card in enumerate(cards):
        key *= card
        key += columns[:, at]
    counts = np.bincount(key, weights=weight, minlength=prod(cards))
    return counts.astype(np.float64).reshape(tuple(cards))


def table_from_counts(
    counts: Floats, alpha: float = 0.0, equivalent_sample_size: float = 0.0
) -> tuple[Floats, int]:
    r"""Table :math:`\theta_{x \mid u} = (N_{u, x} + a) / \sum_x (N_{u, x} + a)` (graphical.18).

    Parameters
    ----------
    counts : ndarray
        The node on the last axis.
    alpha : float
        Imaginary observations of every cell.
    equivalent_sample_size : float
        Imaginary observations of the whole table, spread evenly over its cells.

    Returns
    -------
    table : ndarray
        Columns that were never seen and have no prior are uniform.
    n_unseen : int
        How many these are.

    Examples
    --------
    >>> table_from_counts(np.array([3.0, 0.0]), alpha=1.0)[0].tolist()
    [0.8, 0.2]
    >>> table_from_counts(np.array([[3.0, 1.0], [0.0, 0.0]]))
    (array([[0.75, 0.25],
           [0.5 , 0.5 ]]), 1)
    """
    grown = counts + alpha + equivalent_sample_size / counts.size
    totals = grown.sum(axis=-1, keepdims=True)
    unseen = totals == 0
    table = np.where(unseen, 1 / counts.shape[-1], grown / np.where(unseen, 1.0, totals))
    return table, int(unseen.sum())
