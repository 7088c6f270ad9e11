"""Training of support vector machines with one function: regression and one class."""

import numpy as np

from margin.core import check, progress, threads
from margin.kernels import Expansion
from margin.svm._gram import training_gram, warn_if_indefinite
from margin.svm._kernel_data import fit_data, query_data, resolved
from margin.svm.diagnosis._support_report import support_report
from margin.svm.kernel._classifier_fit import check_common_params, finish, precision, store_vectors


def check_bound(estimator):
    """Refuse bad parameters of a regression before any work."""
    check_common_params(estimator)
    if not (isinstance(estimator.C, float) and np.inf == estimator.C):
        check.params(estimator, positive="C")


def fit_single(estimator, X, y, sample_weight, train, target="numeric"):
    """Fit one machine and store everything it shows.

    Parameters
    ----------
    train : callable
        ``train(gram, y, bound, n_threads, tick) -> (Machine, margin)``; the margin of every row
        is 1 on the border and less outside.
    target : {"numeric", None}
        ``None`` where there is no ``y``.
    """
    X, y, weight = fit_data(estimator, X, y, sample_weight, target)
    kernel = resolved(estimator, X, weight)
    n_threads = threads.count(estimator.n_jobs)
    gram = training_gram(
        kernel, X, tol=estimator.tol, cache_size=estimator.cache_size, n_threads=n_threads
    )
    notes = warn_if_indefinite(estimator, kernel, gram)
    weight = np.ones(gram.n) if weight is None else weight
    strength = getattr(estimator, "C", 1.0)
    bound = np.where(weight > 0, strength, 0.0) if np.isinf(strength) else strength * weight
    with progress.bar(type(estimator).__name__) as tick:
        machine, margin = train(gram, y, bound, n_threads, tick)
    store_single(estimator, X, kernel, machine, margin)
    finish(estimator, machine.solution, notes)
    return estimator


def store_single(estimator, X, kernel, machine, margin):
    """Store what a machine with one function shows, but for the report of the fit."""
    support = np.flatnonzero(machine.coef)
    estimator.support_ = support.astype(np.int32)
    estimator.n_support_ = np.array([len(support)], dtype=np.int32)
    estimator._coef = machine.coef[support][:, None]
    estimator.dual_coef_ = machine.coef[support][None]
    estimator.intercept_ = np.array([machine.bias], dtype=precision(X))
    store_vectors(estimator, X, kernel)
    slack, nobody = max(2 * estimator.tol, 1e-6), np.zeros(len(margin), dtype=bool)
    estimator.support_report_ = support_report(
        machine.coef, machine.bound, margin, np.arange(len(margin)), slack, wrong=nobody
    )


def single_values(estimator, X):
    """Value of the machine at every row."""
    X = query_data(estimator, X)
    made = Expansion(
        estimator._kernel,
        estimator.support_vectors_,
        estimator.support_,
        estimator._coef,
        estimator.intercept_,
    )
    return made(X, threads.count(estimator.n_jobs))[:, 0]
