"""Coding matrices: which class is positive, negative or left out in each binary problem."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import ceil
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray

Code = NDArray[np.int8]

MOST_EXHAUSTIVE = 15


def one_vs_rest_code(n_classes: int) -> Code:
    """Code with one column per class: that class +1, all others -1 (linear.51).

    Two classes need one column only, in which the second is positive.

    Parameters
    ----------
    n_classes : int
        Number of classes, at least 2.

    Examples
    --------
    >>> one_vs_rest_code(3)
    array([[ 1, -1, -1],
           [-1,  1, -1],
           [-1, -1,  1]], dtype=int8)
    """
    at_least_two("one_vs_rest_code", n_classes)
    if n_classes == 2:
        return np.array([[-1], [1]], dtype=np.int8)
    return 2 * np.eye(n_classes, dtype=np.int8) - np.int8(1)


def one_vs_one_code(n_classes: int) -> Code:
    """Code with one column per pair: the first +1, the second -1, the others 0 (linear.51).

    Parameters
    ----------
    n_classes : int
        Number of classes, at least 2.

    Examples
    --------
    >>> one_vs_one_code(3)
    array([[ 1,  1,  0],
           [-1,  0,  1],
           [ 0, -1, -1]], dtype=int8)
    """
    at_least_two("one_vs_one_code", n_classes)
    pairs = np.array(list(combinations(range(n_classes), 2)))
    code = np.zeros((n_classes, len(pairs)), dtype=np.int8)
    column = np.arange(len(pairs))
    code[pairs[:, 0], column] = 1
    code[pairs[:, 1], column] = -1
    return code


def exhaustive_code(n_classes: int) -> Code:
    r"""All :math:`2^{C-1} - 1` ways to split the classes in two (linear.52).

    Any two rows differ in :math:`2^{C-2}` columns, so that :math:`\lfloor (2^{C-2} - 1) / 2
    \rfloor` wrong answers are corrected.

    Parameters
    ----------
    n_classes : int
        Number of classes, from 2 to 15.

    Examples
    --------
    Four classes: seven columns, of which one may be wrong.

    >>> code = exhaustive_code(4)
    >>> code.shape, row_distances(code).max(), correction_capacity(code)
    ((4, 7), np.float64(4.0), 1)
    """
    at_least_two("exhaustive_code", n_classes)
    if n_classes > MOST_EXHAUSTIVE:
        raise ValueError(
            f"exhaustive_code: n_classes must be at most {MOST_EXHAUSTIVE}, as the number of "
            f"columns doubles with each, got {n_classes}"
        )
    # The first class is positive throughout: a column and its negative are the same problem.
    number = np.arange(2 ** (n_classes - 1) - 1)
    bits = number[None, :] >> np.arange(n_classes - 2, -1, -1)[:, None] & 1
    return np.vstack([np.ones_like(number), 2 * bits - 1]).astype(np.int8)


def row_distances(code: Any) -> NDArray[np.float64]:
    r"""Hamming distances between the rows of a code, a zero counting one half (linear.56).

    :math:`d(r, s) = \sum_l (1 - r_l s_l) / 2`; the diagonal is set to zero.

    Parameters
    ----------
    code : array-like of shape (n_classes, n_columns)
        Entries -1, 0 and +1.

    Examples
    --------
    >>> row_distances(one_vs_rest_code(3))
    array([[0., 2., 2.],
           [2., 0., 2.],
           [2., 2., 0.]])
    """
    rows = np.asarray(code, dtype=np.float64)
    distance = (rows.shape[1] - rows @ rows.T) / 2
    np.fill_diagonal(distance, 0.0)
    return np.asarray(distance)


def correction_capacity(code: Any) -> int:
    r"""Wrong binary answers that Hamming decoding corrects whatever they are (linear.52).

    :math:`\lfloor (L' - 1) / 2 \rfloor` for a code without zeros whose rows differ in at least
    :math:`L'` columns. Classifiers may answer anything for classes they were not trained on, so
    with zeros the distance to be overcome from row r to row s is the number of columns in which
    they are opposite, plus half the columns zero in s only, less half those zero in r only.

    Parameters
    ----------
    code : array-like of shape (n_classes, n_columns)
        Entries -1, 0 and +1.

    Returns
    -------
    int
        -1 where even faultless answers do not tell two classes apart.

    Examples
    --------
    >>> [correction_capacity(exhaustive_code(n)) for n in (3, 4, 5)]
    [0, 1, 3]
    >>> correction_capacity(one_vs_rest_code(10)), correction_capacity(one_vs_one_code(10))
    (0, 0)
    """
    rows = np.asarray(code, dtype=np.float64)
    used = np.abs(rows)
    opposite = (used @ used.T - rows @ rows.T) / 2
    only_first = used.sum(axis=1)[:, None] - used @ used.T
    lead = opposite + (only_first - only_first.T) / 2
    np.fill_diagonal(lead, np.inf)
    return max(-1, ceil(float(lead.min()) / 2) - 1)


def checked_code(owner: str, code: Any, n_classes: int) -> Code:
    """Code as int8, or an error that says what makes it useless for so many classes."""
    try:
        matrix = np.asarray(code)
        numeric = matrix.dtype.kind in "iuf" and matrix.ndim == 2 and matrix.shape[1] > 0
    except ValueError:
        numeric = False
    if not numeric or not np.isin(matrix, (-1, 0, 1)).all():
        raise ValueError(f"{owner}: code must be a matrix of -1, 0 and +1, got {code!r}")
    if matrix.shape[0] != n_classes:
        raise ValueError(
            f"{owner}: code must be a matrix of {n_classes} rows, one per class, "
            f"got {matrix.shape[0]}"
        )
    one_sided = ~((matrix > 0).any(axis=0) & (matrix < 0).any(axis=0))
    if one_sided.any():
        raise ValueError(
            f"{owner}: code must be positive for some class and negative for another in every "
            f"column, got column {int(one_sided.argmax())} without"
        )
    if len(np.unique(matrix, axis=0)) < n_classes:
        raise ValueError(f"{owner}: code must be different for every class, got equal rows")
    return matrix.astype(np.int8)


def canonical(column: Any) -> tuple[int, ...]:
    """Column as a tuple, with the sign that makes its first entry other than 0 positive."""
    values = np.asarray(column, dtype=int)
    return tuple((values * values[np.flatnonzero(values)[0]]).tolist())


def matrix_of(columns: Iterable[Sequence[int]]) -> Code:
    """Code with the given columns."""
    return np.array(list(columns), dtype=np.int8).T


def code_lengths(n_classes: int, *, sparse: bool = False) -> tuple[int, int, int]:
    r"""Fewest, usual and most columns of codes with distinct rows and different problems.

    Usual are :math:`10 \log_2 C` columns, and :math:`15 \log_2 C` for codes with zeros.

    Examples
    --------
    >>> code_lengths(4), code_lengths(8), code_lengths(4, sparse=True)
    ((2, 7, 7), (3, 30, 127), (2, 25, 25))
    """
    if sparse:
        most = (3**n_classes - 2 * 2**n_classes + 1) // 2
        return ceil(np.log(n_classes) / np.log(3)), min(ceil(15 * np.log2(n_classes)), most), most
    most = 2 ** (n_classes - 1) - 1
    return ceil(np.log2(n_classes)), min(ceil(10 * np.log2(n_classes)), most), most


def at_least_two(owner: str, n_classes: Any) -> None:
    """Refuse anything but an integer of at least 2."""
    whole(owner, "n_classes", n_classes, 2)


def whole(owner: str, name: str, value: Any, low: int, high: int | None = None) -> int:
    """Value as an integer, or an error that says from where to where it may go."""
    number = int(value) if isinstance(value, Integral) and value is not True else low - 1
    if number < low or (high is not None and number > high):
        span = f"of at least {low}" if high is None else f"from {low} to {high}"
        raise ValueError(f"{owner}: {name} must be an integer {span}, got {value!r}")
    return number


FIXED_CODES = {
    "one-vs-rest": one_vs_rest_code,
    "one-vs-one": one_vs_one_code,
    "exhaustive": exhaustive_code,
}
