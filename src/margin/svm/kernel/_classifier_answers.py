"""Answers of fitted support vector classifiers."""

import numpy as np

from margin.core import threads
from margin.kernels import Expansion
from margin.svm._kernel_data import query_data
from margin.svm.kernel import _multiclass as multiclass
from margin.svm.kernel._probability import METHODS, calibrated, couple


def machine_scores(estimator, X):
    """Value of every machine at every row, of shape (n, n_machines)."""
    X = query_data(estimator, X)
    made = Expansion(
        estimator._kernel,
        estimator.support_vectors_,
        estimator.support_,
        estimator._coef,
        estimator.intercept_,
    )
    return made(X, threads.count(estimator.n_jobs))


def decision_values(estimator, X):
    """What ``decision_function`` returns."""
    scores = machine_scores(estimator, X)
    n_classes = len(estimator.classes_)
    if n_classes == 2:
        return scores[:, 0]
    if estimator.multi_class == "ovr" or estimator.decision_function_shape == "ovo":
        return scores
    return multiclass.class_scores(scores, n_classes)


def predicted(estimator, X):
    """Label of every row."""
    scores = machine_scores(estimator, X)
    n_classes = len(estimator.classes_)
    if n_classes == 2:
        codes = (scores[:, 0] > 0).astype(int)
    elif estimator.multi_class == "ovr":
        codes = scores.argmax(axis=1)
    elif estimator.multi_class == "dag":
        codes = multiclass.winner_by_elimination(scores, n_classes)
    elif estimator.break_ties:
        codes = multiclass.class_scores(scores, n_classes).argmax(axis=1)
    else:
        codes = multiclass.winner_by_votes(scores, n_classes)
    return estimator.classes_[codes]


def probabilities(estimator, X):
    """Probability of every class."""
    scores = machine_scores(estimator, X)
    method = METHODS[estimator.probability]
    positive = np.column_stack(
        [
            calibrated(method, calibration, scores[:, k])
            for k, calibration in enumerate(estimator._calibrations)
        ]
    )
    n_classes = len(estimator.classes_)
    if n_classes == 2:
        return np.column_stack([1.0 - positive[:, 0], positive[:, 0]])
    if estimator.multi_class == "ovr":
        total = positive.sum(axis=1, keepdims=True)
        return np.where(total > 0, positive / np.where(total > 0, total, 1.0), 1.0 / n_classes)
    return couple(positive, n_classes)


def answers_probabilities(estimator):
    """For ``available_if``: whether probabilities were asked for."""
    if estimator.probability is False:
        raise AttributeError(f"{type(estimator).__name__}: predict_proba needs probability=True")
    return True


def linear_weights(estimator):
    """Coefficients of the features, or an error that names the kernel."""
    made = Expansion(
        estimator._kernel,
        estimator.support_vectors_,
        estimator.support_,
        estimator._coef,
        estimator.intercept_,
    )
    weights = made.weights() if estimator._kernel is not None else None
    if weights is None:
        raise AttributeError(
            f"{type(estimator).__name__}: coef_ is there for kernel='linear' only, "
            f"got kernel={estimator.kernel!r}"
        )
    return np.ascontiguousarray(weights.T, dtype=estimator.intercept_.dtype)


def set_kernel_tags(estimator, tags):
    """Sparse tables are taken; with a precomputed kernel ``X`` is pairwise."""
    tags.input_tags.sparse = estimator.kernel != "precomputed"
    tags.input_tags.pairwise = estimator.kernel == "precomputed"
    return tags
