"""The causal order of linear equations with non-Gaussian noise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from margin.core.types import Bytes, Floats
from margin.native.structure.pairwise import least_dependent
from margin.search import Knowledge


@dataclass(frozen=True)
class LinearOrder:
    """Columns from causes to effects.

    Parameters
    ----------
    order : tuple of int
    penalties : tuple of float
        For each place, the evidence against the column that stands there; zero: none.
    n_pairs : int
        Pairs that were compared.
    """

    order: tuple[int, ...]
    penalties: tuple[float, ...]
    n_pairs: int


def linear_order(Z: Floats, knowledge: Knowledge, n_threads: int = 1) -> LinearOrder:
    r"""Take out the column that is least an effect of the others, and its influence; repeat.

    With the entropies :math:`H` of standardised columns and residuals, the ratio

    .. math:: R_{ij} = H(x_j) + H(r_{i \cdot j}) - H(x_i) - H(r_{j \cdot i})

    is positive where i causes j. The next column is that of smallest
    :math:`\sum_j \min(0, R_{ij})^2`; the others go on as residuals of regressions on it.

    Parameters
    ----------
    Z : ndarray of shape (n_rows, n_columns)
        Standardised columns of full rank.
    knowledge : Knowledge
        A column waits for its required causes, and for those that it may not cause itself.
    n_threads : int
        Does not change the answer.
    """
    columns = np.ascontiguousarray(Z.T)
    n_rows = columns.shape[1]
    left = np.arange(len(columns))
    guess = np.square(columns @ columns.T / n_rows)
    order: list[int] = []
    penalties: list[float] = []
    n_pairs = 0
    while len(left):
        correlation = columns @ columns.T / n_rows
        free = _free(knowledge, left)
        at, ratio, compared = least_dependent(columns, correlation, guess, free, n_threads)
        order.append(int(left[at]))
        against = np.minimum(ratio, 0.0) ** 2
        penalties.append(float(np.nansum(against[at])))
        n_pairs += compared
        rest = np.arange(len(left)) != at
        # What spoke against a column most will probably do so again.
        guess = np.ascontiguousarray(np.where(np.isnan(against), guess, against)[rest][:, rest])
        columns = _residuals(columns, correlation, at, rest)
        left = left[rest]
    return LinearOrder(tuple(order), tuple(penalties), n_pairs)


def _free(knowledge: Knowledge, left: np.ndarray) -> Bytes:
    """Columns that may stand first among those left."""
    inside = np.ix_(left, left)
    waits = knowledge.required[inside].T != 0
    never = knowledge.forbidden[inside] != 0
    later = waits | (never & ~never.T)
    # Prohibitions that form a circle leave the order open.
    free = ~later.any(axis=1)
    return np.asarray(free if free.any() else ~waits.any(axis=1), dtype=np.uint8)


def _residuals(columns: Floats, correlation: Floats, at: int, rest: np.ndarray) -> Floats:
    slope = correlation[rest, at]
    residual = columns[rest] - slope[:, None] * columns[at]
    size = np.sqrt((residual**2).mean(axis=1, keepdims=True))
    return np.ascontiguousarray(residual / size)
