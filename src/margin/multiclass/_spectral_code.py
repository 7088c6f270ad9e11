"""Coding matrices from the spectrum of the between-class covariance."""

from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg import eigh

from margin.core.types import Floats, Places
from margin.multiclass._best_column import best_column
from margin.multiclass._code_matrices import (
    Code,
    at_least_two,
    canonical,
    code_lengths,
    matrix_of,
    row_distances,
    whole,
)


def between_class_covariance(X: Any, codes: Places, weight: Floats | None = None) -> Floats:
    r"""Covariance of the classes over the features, of shape (n_classes, n_classes) (linear.54).

    :math:`S_{kk'} = (\mu_k - \mu)^\top D^{-1} (\mu_{k'} - \mu)` with the unweighted mean
    :math:`\mu` of the class means and the pooled within-class variances :math:`D` of the
    features. A feature without variance counts in units of its spread over the classes.

    Parameters
    ----------
    X : array or sparse matrix of shape (n_samples, n_features)
        The data.
    codes : ndarray of shape (n_samples,)
        Class of each row, from 0.
    weight : ndarray of shape (n_samples,), optional
        Weights of the rows.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.array([[0.0], [2.0], [10.0], [12.0]])
    >>> between_class_covariance(X, np.array([0, 0, 1, 1]))
    array([[ 25., -25.],
           [-25.,  25.]])
    """
    ones = np.ones(len(codes)) if weight is None else weight
    member = sparse.csr_array((ones, (codes, np.arange(len(codes)))))
    total = np.asarray(member.sum(axis=1)).ravel()
    mean = _dense(member @ X) / total[:, None]
    centre = mean.mean(axis=0)
    squares = X.multiply(X) if sparse.issparse(X) else (X - centre) ** 2
    shift = mean if sparse.issparse(X) else mean - centre
    scatter = _dense(member @ squares).sum(axis=0) - total @ shift**2
    offset = mean - centre
    spread = np.mean(offset**2, axis=0)
    variance = np.where(scatter > 1e-10 * total.sum() * spread, scatter / total.sum(), spread)
    offset = offset / np.sqrt(np.where(variance > 0, variance, 1.0))
    return np.asarray(offset @ offset.T)


def spectral_code(covariance: Any, n_columns: int | None = None) -> Code:
    r"""Signs of the leading eigenvectors, changed until the rows are well apart (linear.54).

    Starts from the signs of the eigenvectors of the covariance of the classes, largest eigenvalue
    first, then of their sums and differences. Entries are then changed one at a time, each time
    the one of least size in its eigenvector, as long as that moves the closest rows apart.

    Parameters
    ----------
    covariance : array-like of shape (n_classes, n_classes)
        Between-class covariance, such as :func:`between_class_covariance` gives.
    n_columns : int, optional
        Length of the code; :math:`10 \log_2 C`, or all there are if fewer, by default.

    References
    ----------
    Bautista, Pujol, De la Torre and Escalera, Error-correcting factorization, 2015.

    Examples
    --------
    Two close pairs of classes: the first column keeps each pair together.

    >>> import numpy as np
    >>> means = np.array([[0.0, 0.0], [1.0, 0.0], [9.0, 0.0], [9.0, 2.0]])
    >>> offset = means - means.mean(axis=0)
    >>> spectral_code(offset @ offset.T, 3)[:, 0]
    array([ 1,  1, -1, -1], dtype=int8)
    """
    covariance = np.asarray(covariance, dtype=np.float64)
    if covariance.ndim != 2 or covariance.shape[0] != covariance.shape[1]:
        raise ValueError(
            f"spectral_code: covariance must be a square matrix, got shape {covariance.shape}"
        )
    n_classes = len(covariance)
    at_least_two("spectral_code", n_classes)
    fewest, usual, most = code_lengths(n_classes)
    length = usual if n_columns is None else n_columns
    length = whole("spectral_code", "n_columns", length, fewest, most)
    columns: dict[tuple[int, ...], Floats] = {}
    for direction in _directions(covariance):
        column = np.where(direction > 0, 1, -1)
        if abs(column.sum()) < n_classes and len(columns) < length:
            columns.setdefault(canonical(column), np.abs(direction))
    while len(columns) < length:
        apart = row_distances(matrix_of(columns)) if columns else np.zeros((n_classes, n_classes))
        fill = best_column(np.exp(-(apart - apart.min())), columns.keys())
        if fill is None:
            break
        columns[fill] = np.zeros(n_classes)
    return _spread(matrix_of(columns), np.column_stack(list(columns.values())))


def _directions(covariance: Floats) -> list[Floats]:
    """Eigenvectors of non-zero eigenvalue, largest first, then sums and differences of two."""
    values, vectors = eigh(covariance)
    keep = values > 1e-9 * max(float(values[-1]), 0.0)
    values, vectors = values[keep][::-1], vectors[:, keep][:, ::-1]
    # Entries that are zero up to rounding are counted as negative, whatever the rounding.
    vectors[np.abs(vectors) < 1e-9] = 0.0
    top = np.abs(vectors).argmax(axis=0)
    vectors = vectors * np.sign(vectors[top, np.arange(len(values))])
    first, second = np.triu_indices(len(values), 1)
    order = np.argsort(-(values[first] + values[second]), kind="stable")
    mixed = [
        vectors[:, i] + sign * vectors[:, j]
        for i, j in zip(first[order], second[order], strict=True)
        for sign in (1, -1)
    ]
    return [*vectors.T, *mixed]


def _spread(code: Code, size: Floats) -> Code:
    """Change entries while that raises the least distance of rows, or leaves fewer pairs at it."""
    code = code.copy()
    while True:
        move = _improvement(code, size)
        if move is None:
            return code
        code[move] = -code[move]


def _improvement(code: Code, size: Floats) -> tuple[int, int] | None:
    """Change that improves the distances at the least size; None where none does."""
    n, length = code.shape
    distance = row_distances(code).astype(int)
    tally = np.bincount(distance[np.triu_indices(n, 1)], minlength=length + 2)
    least = int(np.flatnonzero(tally)[0])
    present = {canonical(column) for column in code.T}
    moves = []
    for k in np.flatnonzero((distance == least).sum(axis=1) > (least == 0)):
        others = np.arange(n) != k
        rest = tally - np.bincount(distance[k, others], minlength=length + 2)
        # Changing entry j of row k moves it by one from the rows that agreed there.
        moved = distance[k, others] + (code[k] * code[others]).T
        rest_least = int(np.flatnonzero(rest)[0]) if rest.any() else length
        new_least = np.minimum(rest_least, moved.min(axis=1))
        new_ties = np.sum(moved == new_least[:, None], axis=1) + rest[new_least]
        better = (new_least > least) | ((new_least == least) & (new_ties < tally[least]))
        moves += [(size[k, j], int(k), int(j)) for j in np.flatnonzero(better)]
    for _, row, j in sorted(moves):
        changed = code[:, j].copy()
        changed[row] = -changed[row]
        if abs(int(changed.sum())) < n and canonical(changed) not in present:
            return row, j
    return None


def _dense(product: Any) -> Floats:
    return np.asarray(product.toarray() if sparse.issparse(product) else product, dtype=np.float64)
