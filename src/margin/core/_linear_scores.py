"""Scores of a linear classifier, and the label they mean."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core import check


def linear_scores(estimator: Any, X: Any) -> NDArray[Any]:
    """Scores of ``coef_`` and ``intercept_``: of the second of two classes, or one per class."""
    X = check.table(estimator, X, sparse=True)
    scores: NDArray[Any] = np.asarray(X @ estimator.coef_.T + estimator.intercept_)
    return scores[:, 0] if len(estimator.classes_) == 2 else scores


def best_label(estimator: Any, scores: NDArray[Any]) -> NDArray[Any]:
    """Label of the highest score; of one score per row the second class where it is above zero.

    Examples
    --------
    >>> import numpy as np
    >>> from types import SimpleNamespace
    >>> best_label(SimpleNamespace(classes_=np.array(["a", "b"])), np.array([-1.0, 0.0, 2.0]))
    array(['a', 'a', 'b'], dtype='<U1')
    >>> best_label(SimpleNamespace(classes_=np.array([3, 5, 7])), np.array([[0.1, 0.7, 0.2]]))
    array([5])
    """
    codes = (scores > 0).astype(np.intp) if scores.ndim == 1 else scores.argmax(axis=1)
    labels: NDArray[Any] = estimator.classes_[codes]
    return labels
