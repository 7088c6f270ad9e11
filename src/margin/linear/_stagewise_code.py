"""Coding matrices grown column by column, each chosen for what is still confused."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from margin.linear._best_column import best_column
from margin.linear._code_matrices import Code, matrix_of, row_distances

Floats = NDArray[np.float64]


def stagewise_code(
    fit_column: Callable[[Code], tuple[Any, Floats]],
    distances: Callable[[Floats, Code], Floats],
    codes: NDArray[np.intp],
    weight: Floats | None,
    n_columns: int,
) -> tuple[Code, list[Any]]:
    r"""Code and classifiers, one column at a time until the training rows are right (linear.55).

    With :math:`d_{ik}` the distance of row :math:`i` from class :math:`k` under the columns so
    far, the pair :math:`(k, k')` matters by how nearly its rows are confused,

    .. math:: W_{kk'} = \sum_{i: y_i = k} s_i\, \sigma(d_{ik} - d_{ik'})
              + \sum_{i: y_i = k'} s_i\, \sigma(d_{ik'} - d_{ik}),

    and the new column is the one that separates the largest total weight. Classes whose rows of
    the code are still equal come first: they cannot be told apart otherwise.

    Parameters
    ----------
    fit_column : callable
        From a column to its fitted classifier and the scores of the training rows.
    distances : callable
        From scores and code to the distance of every row from every class.
    codes : ndarray of shape (n_samples,)
        Class of each row, from 0.
    weight : ndarray of shape (n_samples,), optional
        Weights of the rows.
    n_columns : int
        Longest code allowed.

    Returns
    -------
    code : ndarray of shape (n_classes, at most n_columns)
    fits : list
        What ``fit_column`` returned first, in the order of the columns.
    """
    n_classes = int(codes.max()) + 1
    share = np.ones(len(codes)) if weight is None else weight
    distance = np.zeros((len(codes), n_classes))
    columns: dict[tuple[int, ...], Any] = {}
    code = np.empty((n_classes, 0), dtype=np.int8)
    scores: list[Floats] = []
    while len(columns) < n_columns:
        need = confusion(distance, codes, share)
        alike = row_distances(code) == 0
        column = best_column(need + alike * need.sum(), columns.keys())
        if column is None:
            break
        columns[column], answer = fit_column(np.array(column, dtype=np.int8))
        scores.append(answer)
        code = matrix_of(columns)
        distance = distances(np.column_stack(scores), code)
        solved = not np.any(share[distance.argmin(axis=1) != codes])
        if solved and len(np.unique(code, axis=0)) == n_classes:
            break
    return code, list(columns.values())


def confusion(distance: Floats, codes: NDArray[np.intp], share: Floats) -> Floats:
    """How nearly the rows of each pair of classes are taken for the other, symmetric.

    Examples
    --------
    >>> confusion(np.zeros((3, 2)), np.array([0, 0, 1]), np.ones(3))
    array([[0. , 1.5],
           [1.5, 0. ]])
    """
    own = distance[np.arange(len(codes)), codes][:, None]
    doubt = share[:, None] * expit(own - distance)
    weight = np.zeros((distance.shape[1],) * 2)
    np.add.at(weight, codes, doubt)
    weight = weight + weight.T
    np.fill_diagonal(weight, 0.0)
    return np.asarray(weight)
