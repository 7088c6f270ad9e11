"""Kernel machines that learn by counting corrections: shared by perceptron and Pegasos."""

import numpy as np

from margin.core import check
from margin.svm._classifier_answers import machine_scores
from margin.svm._classifier_fit import precision, store_vectors
from margin.svm._kernel_data import check_kernel_params, fit_data, resolved
from margin.svm._multiclass_dual import whole_matrix


def start(estimator, X, y):
    """Checked data: table, kernel, kernel matrix and one column of ±1 per machine."""
    check_kernel_params(estimator)
    X, y, _ = fit_data(estimator, X, y, None, "classes")
    estimator.classes_, codes = check.classes(estimator, y)
    kernel = resolved(estimator, X)
    classes = [1] if len(estimator.classes_) == 2 else range(len(estimator.classes_))
    signs = np.array([np.where(codes == k, 1.0, -1.0) for k in classes])
    return X, kernel, whole_matrix(estimator, kernel, X), signs


def store(estimator, X, kernel, counts, coef):
    """Keep the rows with a coefficient; ``counts`` and ``coef`` have one row per machine."""
    estimator.counts_ = counts.astype(np.int64)
    estimator.support_ = np.flatnonzero(counts.any(axis=0) | coef.any(axis=0)).astype(np.int32)
    estimator._coef = np.ascontiguousarray(coef[:, estimator.support_].T)
    estimator.dual_coef_ = coef[:, estimator.support_]
    estimator.intercept_ = np.zeros(len(coef), dtype=precision(X))
    store_vectors(estimator, X, kernel)


def scores(estimator, X):
    """Of the second of two classes, or one per class."""
    found = machine_scores(estimator, X)
    return found[:, 0] if len(estimator.classes_) == 2 else found


def labels(estimator, X):
    """Label of every row."""
    found = scores(estimator, X)
    codes = (found > 0).astype(np.intp) if found.ndim == 1 else found.argmax(axis=1)
    return estimator.classes_[codes]
