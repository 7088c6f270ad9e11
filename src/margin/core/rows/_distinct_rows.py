"""The rows of a table as a weighted set: what they hold counts, not where or how often."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Floats
from margin.native.rows.row_order import row_keys

_LONG = 2**16


@dataclass(frozen=True)
class DistinctRows:
    """Distinct pairs of row and target, in an order that depends on the contents of the rows.

    A stochastic method that visits rows in this order, or in a shuffle of it, gives the same
    answer for any order of storage, and the same for a row of weight three as for three copies.

    Parameters
    ----------
    visits : ndarray of int
        One row of each group of equal ones, zero weights left out.
    weight : ndarray of shape (n,) or None
        Weight of the whole group at its visited row, zero elsewhere; ``None`` if all rows are
        visited and count the same.
    total : float
        Sum of the weights.
    squares : ndarray of shape (n,), optional
        Squared norm of every row.
    """

    visits: NDArray[np.int64]
    weight: Floats | None
    total: float
    squares: Floats | None = None


def stored_rows(y: NDArray[Any], weight: Floats | None) -> DistinctRows:
    """All rows of positive weight as they are stored, equal ones one by one."""
    visits = np.arange(len(y)) if weight is None else np.flatnonzero(weight)
    return DistinctRows(visits, weight, float(len(y) if weight is None else weight.sum()))


def distinct_rows(X: Any, y: NDArray[Any], weight: Floats | None, n_threads: int) -> DistinctRows:
    """Group the equal rows of a C-ordered or CSR table.

    Of 65 536 rows or more no one row matters much, and visiting them out of order would cost more
    than the steps themselves: they are left as they are stored.

    Examples
    --------
    >>> import numpy as np
    >>> X, y = np.array([[1.0], [2.0], [1.0]]), np.array([0, 1, 0])
    >>> table = distinct_rows(X, y, None, 1)
    >>> len(table.visits), float(table.weight[table.visits].max()), table.total
    (2, 2.0, 3.0)
    """
    if len(y) >= _LONG:
        return stored_rows(y, weight)
    keys, squares = row_keys(X, n_threads)
    order = np.argsort(keys)
    tied = keys[order[1:]] == keys[order[:-1]]
    total = float(len(y) if weight is None else weight.sum())
    if not tied.any():
        if weight is None:
            return DistinctRows(order, None, total, squares)
        return DistinctRows(order[weight[order] > 0], weight, total, squares)
    order = np.lexsort((y, keys))
    first = np.append(True, ~_equal_neighbours(X, y, keys, order))
    amount = np.ones(len(y)) if weight is None else weight
    starts = np.flatnonzero(first)
    sums = np.add.reduceat(amount[order], starts)
    visits = order[starts]
    grouped = np.zeros(len(y))
    grouped[visits] = sums
    return DistinctRows(visits[sums > 0], grouped, total, squares)


def _equal_neighbours(
    X: Any, y: NDArray[Any], keys: NDArray[np.uint64], order: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Whether each row of the order equals the one before it, in every column and in its target."""
    one, two = order[:-1], order[1:]
    same = np.asarray((keys[one] == keys[two]) & (y[one] == y[two]))
    candidates = np.flatnonzero(same)
    block = max(1, 2**22 // max(1, X.shape[1]))
    for at in range(0, len(candidates), block):
        chosen = candidates[at : at + block]
        if isinstance(X, np.ndarray):
            same[chosen] = (X[one[chosen]] == X[two[chosen]]).all(axis=1)
        else:
            differs = X[one[chosen]] - X[two[chosen]]
            same[chosen] = np.asarray(abs(differs).max(axis=1).todense()).ravel() == 0
    return same
