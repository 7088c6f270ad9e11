"""Scores of a linear classifier, and the label they mean."""

from typing import Any

import numpy as np
from scipy.sparse import issparse

from margin.core.types import Array


def linear_scores(X: Any, coef: Any, intercept: Array) -> Array:
    """Scores of coefficients: of the second of two classes, or one per class.

    Parameters
    ----------
    X : ndarray or sparse matrix of shape (n, p)
        Checked rows.
    coef : ndarray or sparse matrix of shape (1 or K, p)
        One row for two classes.
    intercept : ndarray of shape (1 or K,)

    Examples
    --------
    >>> import numpy as np
    >>> from margin.core import linear_scores
    >>> linear_scores(np.array([[1.0, 2.0]]), np.array([[1.0, 1.0]]), np.array([0.5]))
    array([3.5])
    """
    products = X @ coef.T
    scores = np.asarray((products.toarray() if issparse(products) else products) + intercept)
    return scores[:, 0] if coef.shape[0] == 1 else scores


def best_label(labels: Array, scores: Array) -> Array:
    """Label of the highest score; of one score per row the second label where it is above zero.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.core import best_label
    >>> best_label(np.array(["a", "b"]), np.array([-1.0, 0.0, 2.0]))
    array(['a', 'a', 'b'], dtype='<U1')
    >>> best_label(np.array([3, 5, 7]), np.array([[0.1, 0.7, 0.2]]))
    array([5])
    """
    codes = (scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
    return np.asarray(labels[codes])
