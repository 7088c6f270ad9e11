"""Scores of a linear classifier, and the label they mean."""

import numpy as np

from margin.core import check


def linear_scores(estimator, X):
    """Scores of ``coef_`` and ``intercept_``: of the second of two classes, or one per class."""
    X = check.table(estimator, X, sparse=True)
    scores = np.asarray(X @ estimator.coef_.T + estimator.intercept_)
    return scores[:, 0] if len(estimator.classes_) == 2 else scores


def best_label(estimator, scores):
    """Label of the highest score; of one score per row the second class where it is above zero.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> best_label(SimpleNamespace(classes_=np.array(["a", "b"])), np.array([-1.0, 0.0, 2.0]))
    array(['a', 'a', 'b'], dtype='<U1')
    >>> best_label(SimpleNamespace(classes_=np.array([3, 5, 7])), np.array([[0.1, 0.7, 0.2]]))
    array([5])
    """
    codes = (scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
    return estimator.classes_[codes]
