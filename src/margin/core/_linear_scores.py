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


def two_probabilities(log_odds: Array) -> Array:
    """Probabilities of two classes, a row for each log-odds of the second, none rounded to 1 - p.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.core import two_probabilities
    >>> two_probabilities(np.array([0.0, -50.0]))
    array([[5.00000000e-01, 5.00000000e-01],
           [1.00000000e+00, 1.92874985e-22]])
    """
    # Straight into their places: tables of the size of the answer cost more than the exponentials.
    answer = np.empty((2, len(log_odds)), dtype=log_odds.dtype)
    np.negative(log_odds, out=answer[1])
    with np.errstate(over="ignore"):  # 1 / infinity is right
        np.exp(log_odds, out=answer[0])
        np.exp(answer[1], out=answer[1])
    answer += 1.0
    np.reciprocal(answer, out=answer)
    return answer.T
