"""The engine of reductions to binary problems: fit every column of a code, ask all of them."""

import numpy as np
from scipy import sparse
from sklearn.base import clone, is_classifier
from sklearn.utils import get_tags
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import has_fit_parameter

from margin.core import FitReport, Status, check
from margin.linear.classification._logistic_regression import LogisticRegression
from margin.multiclass._decoding import votes


def base_classifier(owner):
    """The binary classifier to clone: the one given, or logistic regression."""
    estimator = owner.estimator
    if estimator is None:
        return LogisticRegression()
    usable = not isinstance(estimator, type) and all(
        hasattr(estimator, name) for name in ("fit", "get_params", "__sklearn_tags__")
    )
    if not usable or not is_classifier(estimator):
        raise check.fail(owner, "estimator", "a classifier or None", estimator)
    return estimator


def checked(owner, X, y, sample_weight):
    """Table, class codes and weights; ``classes_`` is set on the owner."""
    base = base_classifier(owner)
    tags = get_tags(base).input_tags
    X, y, weight = check.data(
        owner, X, y, sample_weight, target="classes", sparse=tags.sparse, missing=tags.allow_nan
    )
    owner.classes_, codes = check.classes(owner, y)
    if weight is not None:
        if not has_fit_parameter(base, "sample_weight"):
            need = "a classifier that takes sample_weight when weights are given"
            raise check.fail(owner, "estimator", need, owner.estimator)
        empty = np.bincount(codes, weights=weight) <= 0
        if empty.any():
            label = owner.classes_[empty.argmax()].item()
            raise check.fail(owner, "sample_weight", f"above 0 for some row of class {label!r}", 0)
    return X, codes, weight


def table(owner, X):
    """Table of a prediction, held against what the base classifier takes."""
    tags = get_tags(base_classifier(owner)).input_tags
    return check.table(owner, X, sparse=tags.sparse, missing=tags.allow_nan)


def fit_column(base, X, codes, weight, column):
    """Classifier of one column of a code, fitted on the rows of the classes that take part."""
    side = np.asarray(column)[codes]
    rows = np.flatnonzero(side)
    if len(rows) < len(side):
        X, side = X[rows], side[rows]
        weight = None if weight is None else weight[rows]
    given = {} if weight is None else {"sample_weight": weight}
    return clone(base).fit(X, (side > 0).astype(int), **given)


def fit_columns(owner, X, codes, weight, code):
    """Classifiers of all columns, in order; ``owner.n_jobs`` of them at a time."""
    base = base_classifier(owner)
    # Compiled fits release the interpreter's lock, so threads spare the copies of the table.
    return Parallel(n_jobs=owner.n_jobs, prefer="threads")(
        delayed(fit_column)(base, X, codes, weight, column) for column in np.transpose(code)
    )


def column_scores(estimators, X):
    """Signed confidence of every classifier, of shape (n_samples, n_classifiers)."""
    return np.column_stack([signed_score(estimator, X) for estimator in estimators])


def signed_score(estimator, X):
    """Decision value of the positive side, else its log-odds, else a vote of -1 or +1."""
    if hasattr(estimator, "decision_function"):
        return np.asarray(estimator.decision_function(X))
    if hasattr(estimator, "predict_proba"):
        tiny = np.finfo(np.float64).eps
        share = np.clip(posterior(estimator, X), tiny, 1 - tiny)
        return np.log(share) - np.log1p(-share)
    return hard_vote(estimator, X)


def posterior(estimator, X):
    """Probability of the positive side."""
    return np.asarray(estimator.predict_proba(X))[:, 1]


def hard_vote(estimator, X):
    """+1 where the classifier predicts the positive side, else -1."""
    return votes(estimator.predict(X))


def signed_distance(estimator, X):
    """Decision value of a linear classifier with its coefficients scaled to unit length.

    Without a slope there is no hyperplane to be distant from: the value stays as it is.
    """
    coef = estimator.coef_
    entries = coef.data if sparse.issparse(coef) else coef
    norm = float(np.linalg.norm(entries))
    return signed_score(estimator, X) / (norm if norm > 0 else 1.0)


def gathered_report(owner, estimators, cost, notes=()):
    """One report of many fits: the worst status and certificate, the sum of the objectives."""
    name = type(owner).__name__
    reports = [getattr(estimator, "fit_report_", None) for estimator in estimators]
    known = [report for report in reports if isinstance(report, FitReport)]
    facts = (str(cost), *notes)
    inner = type(estimators[0]).__name__
    if len(known) < len(reports):
        facts += (f"{inner} leaves no report of its own",)
        return FitReport(name, inner, Status.CONVERGED, len(reports), float("nan"), notes=facts)
    worst = max(known, key=lambda report: report.status.severity)
    missed = sum(not report.status.ok for report in known)
    proofs = [report.certificate for report in known if report.certificate is not None]
    iterations = np.array([report.n_iter for report in known])
    objective = np.array([report.objective for report in known])
    return FitReport(
        estimator=name,
        solver=f"{inner} ({worst.solver})",
        status=worst.status,
        n_iter=int(iterations.sum()),
        objective=float(objective.sum()),
        certificate=max(proofs, key=lambda c: c.ratio, default=None),
        trace={
            "classifier_rows": np.array(cost.rows, dtype=np.float64),
            "classifier_iterations": iterations.astype(np.float64),
            "classifier_objective": objective,
        },
        repairs=tuple(dict.fromkeys(text for report in known for text in report.repairs)),
        notes=facts + tuple(dict.fromkeys(text for report in known for text in report.notes)),
        message=f"{missed} of {len(known)} classifiers: {worst.message}" if missed else "",
    )


def forward_tags(owner, tags):
    """Tags of a reduction: it takes whatever tables its base classifier takes."""
    try:
        base = get_tags(base_classifier(owner)).input_tags
    except ValueError:
        return tags
    tags.input_tags.sparse = base.sparse
    tags.input_tags.allow_nan = base.allow_nan
    tags.input_tags.positive_only = base.positive_only
    return tags
