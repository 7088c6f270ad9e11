"""Binary classifiers of the columns of a code: fit them, ask them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import is_regressor
from sklearn.utils import get_tags

from margin.core import by_threads, check, unfitted
from margin.core.types import Array, Floats, Places
from margin.linear import LogisticRegression
from margin.multiclass._constant_classifier import ConstantClassifier
from margin.multiclass._decoding import votes
from margin.multiclass._fit_parameters import of_rows
from margin.multiclass._handed_on import rows_of


def base_classifier(owner: object, estimator: Any) -> Any:
    """The binary classifier to clone: the one given, or logistic regression."""
    if estimator is None:
        return LogisticRegression()
    usable = not isinstance(estimator, type) and all(
        hasattr(estimator, name) for name in ("fit", "get_params", "__sklearn_tags__")
    )
    if not usable:
        raise check.fail(owner, "estimator", "a classifier, a regressor or None", estimator)
    return estimator


def fit_side(
    base: Any,
    X: Any,
    side: Array,
    weight: Floats | None,
    extra: Mapping[str, Any] | None = None,
) -> Any:
    """Classifier of the rows above zero from those below; those at zero do not take part.

    Of a precomputed kernel it sees the columns of its rows only. Where one side is empty the
    answer is the other.
    """
    given = dict(extra or {}) | ({} if weight is None else {"sample_weight": weight})
    rows = np.flatnonzero(side)
    if len(rows) < len(side):
        given = of_rows(given, rows, len(side))
        X, side = rows_of(X, rows), side[rows]
        if get_tags(base).input_tags.pairwise:
            X = X[:, rows]
    target = (side > 0).astype(int)
    if target.all() or not target.any():
        return ConstantClassifier().fit(X, target)
    return unfitted(base).fit(X, target, **given)


def fit_sides(
    base: Any,
    X: Any,
    sides: Iterable[Array],
    weight: Floats | None,
    n_jobs: int | None,
    extra: Mapping[str, Any] | None = None,
) -> list[Any]:
    """Classifiers of all the divisions of the rows, in order, ``n_jobs`` of them at a time."""
    return by_threads(fit_side, ((base, X, side, weight, extra) for side in sides), n_jobs)


def fit_columns(
    base: Any,
    X: Any,
    codes: Places,
    weight: Floats | None,
    code: Array,
    n_jobs: int | None,
    extra: Mapping[str, Any] | None = None,
) -> list[Any]:
    """Classifiers of the columns of a code, for rows whose classes are given by place."""
    sides = (column[codes] for column in np.transpose(code))
    return fit_sides(base, X, sides, weight, n_jobs, extra)


def advance_column(
    classifier: Any, X: Any, codes: Places, column: Array, extra: Mapping[str, Any]
) -> Any:
    """Classifier of one column after ``partial_fit`` on the rows that take part, if there are."""
    side = np.asarray(column)[codes]
    rows = np.flatnonzero(side)
    if not len(rows):
        return classifier
    target = (side[rows] > 0).astype(int)
    given = of_rows(extra, rows, len(side))
    return classifier.partial_fit(rows_of(X, rows), target, classes=np.array([0, 1]), **given)


def column_scores(classifiers: Sequence[Any], X: Any) -> Floats:
    """Signed confidence of every classifier, of shape (n_samples, n_classifiers)."""
    return np.column_stack([signed_score(classifier, X) for classifier in classifiers])


def signed_score(classifier: Any, X: Any) -> Floats:
    """Decision value of the positive side, else its log-odds, else a vote of -1 or +1."""
    if hasattr(classifier, "decision_function"):
        return np.asarray(classifier.decision_function(X))
    if is_regressor(classifier):
        return np.ravel(classifier.predict(X)) - 0.5
    if hasattr(classifier, "predict_proba"):
        tiny = np.finfo(np.float64).eps
        share = np.clip(posterior(classifier, X), tiny, 1 - tiny)
        return np.asarray(np.log(share) - np.log1p(-share))
    return hard_vote(classifier, X)


def posterior(classifier: Any, X: Any) -> Floats:
    """Probability of the positive side."""
    return np.asarray(classifier.predict_proba(X))[:, 1]


def hard_vote(classifier: Any, X: Any) -> Floats:
    """+1 where the classifier predicts the positive side, else -1."""
    return votes(classifier.predict(X))


def signed_distance(classifier: Any, X: Any) -> Floats:
    """Decision value of a linear classifier with its coefficients scaled to unit length.

    Without a slope there is no hyperplane to be distant from: the value stays as it is.
    """
    coef = getattr(classifier, "coef_", np.zeros(1))
    entries = coef.data if sparse.issparse(coef) else coef
    norm = float(np.linalg.norm(entries))
    return signed_score(classifier, X) / (norm if norm > 0 else 1.0)
