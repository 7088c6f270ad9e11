"""Coding matrices grown column by column, each chosen for what is still confused."""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import logsumexp, softmax

from margin.core.types import Bools, Floats, Places
from margin.multiclass._best_column import best_column
from margin.multiclass._code_matrices import (
    Code,
    canonical,
    matrix_of,
    one_vs_one_code,
    one_vs_rest_code,
)

Column = tuple[int, ...]


def stagewise_code(
    fit_column: Callable[[Code], tuple[Any, Floats]],
    distances: Callable[[Floats, Code], Floats],
    codes: Places,
    weight: Floats | None,
    n_columns: int,
) -> tuple[Code, list[Any]]:
    r"""Code and classifiers, one column at a time until the training rows are right (linear.55).

    With :math:`d_{ik}` the distance of row :math:`i` from class :math:`k` under the columns so
    far and :math:`p_{ik} \propto e^{-d_{ik}}`, a pair matters by how nearly its rows are confused,

    .. math:: W_{kk'} = \sum_{i: y_i = k} s_i\, p_{ik'} + \sum_{i: y_i = k'} s_i\, p_{ik} .

    The first columns split the classes, each separating the largest total weight, until every pair
    is separated. From then on three problems are tried: the best split, the pair that matters most
    and the class that matters most against the rest, of those not used yet. The one that leaves
    the least :math:`-\sum_i s_i \log p_{i y_i}` is kept.

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
    code = np.empty((n_classes, 0), dtype=np.int8)
    scores = np.empty((len(codes), 0))
    columns: dict[Column, Any] = {}
    while len(columns) < n_columns:
        stages = []
        for column in proposals(confusion(distance, codes, share), code):
            fit, answer = fit_column(np.array(column, dtype=np.int8))
            longer = np.column_stack([scores, answer])
            apart = distances(longer, matrix_of([*columns, column]))
            stages.append((doubt(apart, codes, share), column, fit, longer, apart))
        if not stages:
            break
        _, column, columns[column], scores, distance = min(stages, key=lambda stage: stage[0])
        code = matrix_of(columns)
        wrong = distance.argmin(axis=1) != codes
        if not np.any(share[wrong]) and separated(code).all():
            break
    return code, list(columns.values())


def proposals(need: Floats, code: Code) -> list[Column]:
    """Columns worth trying next, for pairs that matter by ``need`` and the columns so far.

    Examples
    --------
    Two classes are not separated yet: only splits are tried, those that separate them first.

    >>> proposals(np.ones((3, 3)), np.array([[1], [1], [-1]], dtype=np.int8))
    [(1, -1, -1)]
    """
    used = {canonical(column) for column in code.T}
    apart = separated(code)
    split = best_column(need + ~apart * need.sum(), used)
    tried = [] if split is None else [split]
    if apart.all():
        for small in (one_vs_one_code(len(need)), one_vs_rest_code(len(need))):
            gain = np.array([need[column > 0][:, column < 0].sum() for column in small.T])
            ordered = (canonical(small[:, j]) for j in np.argsort(-gain, kind="stable"))
            tried += [column for column in ordered if column not in used][:1]
    return list(dict.fromkeys(tried))


def separated(code: Code) -> Bools:
    """Pairs of classes that are opposite in some column; a class needs not be so from itself."""
    rows = code.astype(np.float64)
    used = np.abs(rows)
    apart = np.asarray(used @ used.T > rows @ rows.T)
    np.fill_diagonal(apart, True)
    return apart


def confusion(distance: Floats, codes: Places, share: Floats) -> Floats:
    """How nearly the rows of each pair of classes are taken for the other, symmetric.

    Examples
    --------
    >>> confusion(np.zeros((3, 2)), np.array([0, 0, 1]), np.ones(3))
    array([[0. , 1.5],
           [1.5, 0. ]])
    """
    weight = np.zeros((distance.shape[1],) * 2)
    np.add.at(weight, codes, share[:, None] * softmax(-distance, axis=1))
    weight = weight + weight.T
    np.fill_diagonal(weight, 0.0)
    return np.asarray(weight)


def doubt(distance: Floats, codes: Places, share: Floats) -> float:
    """Cross-entropy of the classes when their probabilities fall with the distance."""
    own = distance[np.arange(len(codes)), codes]
    return float(share @ (own + logsumexp(-distance, axis=1)))
