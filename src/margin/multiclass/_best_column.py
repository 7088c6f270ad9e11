"""The split of the classes that separates the pairs which need it most."""

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import eigh

from margin.multiclass._code_matrices import canonical, exhaustive_code

_MOST_ENUMERATED = 12


def cut_value(weight: Any, column: Any) -> float:
    r"""Weight of the separated pairs, :math:`\sum_{k<k'} W_{kk'} [c_k \ne c_{k'}]`.

    Examples
    --------
    >>> cut_value([[0, 1, 2], [1, 0, 4], [2, 4, 0]], [1, 1, -1])
    6.0
    """
    weight, column = np.asarray(weight, dtype=np.float64), np.asarray(column, dtype=np.float64)
    return float((weight.sum() - column @ weight @ column) / 4)


def best_column(weight: Any, used: Collection[tuple[int, ...]] = ()) -> tuple[int, ...] | None:
    r"""Column of -1 and +1 with the largest cut among those not used yet (linear.55).

    All columns are compared up to twelve classes; beyond that, single changes are made for the
    better, starting from the signs of the eigenvectors of :math:`W`.

    Parameters
    ----------
    weight : array-like of shape (n_classes, n_classes)
        Symmetric, how much it matters to separate each pair; the diagonal is of no account.
    used : collection of tuple
        Columns not to be repeated, with their first entry positive.

    Returns
    -------
    tuple of int or None
        First entry positive; None when every column is used.

    Examples
    --------
    >>> best_column([[0, 1, 2], [1, 0, 4], [2, 4, 0]])
    (1, 1, -1)
    """
    weight = np.array(weight, dtype=np.float64)
    np.fill_diagonal(weight, 0.0)
    if len(weight) <= _MOST_ENUMERATED:
        return _enumerated(weight, used)
    return _climbed(weight, used)


def _enumerated(weight: NDArray[np.float64], used: Collection[Any]) -> tuple[int, ...] | None:
    columns = exhaustive_code(len(weight)).T.astype(np.float64)
    cut = weight.sum() - np.einsum("ck,kj,cj->c", columns, weight, columns, optimize=True)
    # Equal cuts differ by rounding only; the first of them is taken whatever the rounding.
    cut = np.round(cut / max(float(np.abs(cut).max()), 1e-300), 12)
    for best in np.argsort(-cut, kind="stable"):
        column = canonical(columns[best])
        if column not in used:
            return column
    return None


def _climbed(weight: NDArray[np.float64], used: Collection[Any]) -> tuple[int, ...] | None:
    n = len(weight)
    _, vectors = eigh(weight)
    half = np.where(np.arange(n) % 2, 1.0, -1.0)
    starts = [np.where(v > 0, 1.0, -1.0) for v in vectors.T] + [half]
    tried: dict[tuple[int, ...], float] = {}
    for start in starts:
        column = start if abs(start.sum()) < n else half
        top = _climb(weight, column.copy())
        for other in (top, *_neighbours(top)):
            if abs(other.sum()) < n:
                tried.setdefault(canonical(other), cut_value(weight, other))
    fresh = {column: cut for column, cut in tried.items() if column not in used}
    return max(fresh, key=lambda column: fresh[column]) if fresh else None


def _climb(weight: NDArray[np.float64], column: NDArray[np.float64]) -> NDArray[np.float64]:
    """Change the entry that gains most until none gains."""
    while True:
        gain = column * (weight @ column)
        k = int(gain.argmax())
        if gain[k] <= 1e-12 * np.abs(gain).max(initial=0.0):
            return column
        column[k] = -column[k]


def _neighbours(column: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """All columns one change away, in case the best is taken."""
    changed = np.tile(column, (len(column), 1))
    np.fill_diagonal(changed, -column)
    return list(changed)
