"""Training of support vector classifiers of any number of classes."""

import sys
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.utils.class_weight import compute_class_weight

from margin.core import Solution, check, progress, random, threads
from margin.core.objects import take
from margin.svm._gram import training_gram, warn_if_indefinite
from margin.svm._kernel_data import check_kernel_params, fit_data, resolved
from margin.svm.diagnosis._support_report import support_report
from margin.svm.kernel._leave_one_out import leave_one_out
from margin.svm.kernel._multiclass import STRATEGIES, by_opponent, duels, members
from margin.svm.kernel._probability import METHODS, calibrate


def check_common_params(estimator):
    """Refuse bad parameters that all support vector machines share."""
    check.params(
        estimator,
        positive="tol cache_size",
        flag="shrinking verbose",
        one_of={"solver": ("smo", "qp")},
    )
    limit = estimator.max_iter
    if (
        isinstance(limit, bool)
        or not isinstance(limit, int | np.integer)
        or not (limit == -1 or limit >= 1)
    ):
        raise check.fail(estimator, "max_iter", "an integer of at least 1, or -1", limit)
    check_kernel_params(estimator)


def check_classifier_params(estimator):
    """Refuse bad parameters of a classifier before any work."""
    check_common_params(estimator)
    check_votes(estimator)


def check_votes(estimator):
    """Refuse bad parameters of how the machines answer together."""
    check.params(
        estimator,
        flag="break_ties",
        one_of={
            "decision_function_shape": ("ovr", "ovo"),
            "multi_class": STRATEGIES,
            "probability": (False, True, "sigmoid", "isotonic"),
        },
    )


def fit_classifier(estimator, X, y, sample_weight, train):
    """Fit machines for all duels and store everything that a classifier shows.

    Parameters
    ----------
    train : callable
        ``train(gram, sign, weight, n_threads, tick) -> Machine`` for one duel.
    """
    data = classifier_data(estimator, X, y, sample_weight)
    with progress.bar(type(estimator).__name__) as tick:
        machines = [
            train(_part(data.gram, rows), sign, data.weight[rows], data.n_threads, tick)
            for rows, sign in duel_rows(estimator, data.codes)
        ]
    store_machines(estimator, data, machines)
    finish(estimator, merged([machine.solution for machine in machines]), data.notes)
    return estimator


@dataclass(frozen=True, eq=False)
class ClassifierData:
    """What the machines of a classifier are trained on.

    Parameters
    ----------
    X : table or list
    codes : ndarray of int, class of every row.
    kernel : Kernel or None
    gram : Gram
    weight : ndarray, factor of ``C`` of every row.
    n_threads : int
    notes : tuple of str, for the report.
    """

    X: Any
    codes: np.ndarray
    kernel: Any
    gram: Any
    weight: np.ndarray
    n_threads: int = 1
    notes: tuple[str, ...] = ()


def classifier_data(estimator, X, y, sample_weight):
    """Checked data with their kernel matrix; stores ``classes_``."""
    X, y, weight = fit_data(estimator, X, y, sample_weight, "classes")
    estimator.classes_, codes = check.classes(estimator, y)
    kernel = resolved(estimator, X, weight)
    weight = row_weights(estimator, codes, weight)
    n_threads = threads.count(estimator.n_jobs)
    gram = training_gram(
        kernel, X, tol=estimator.tol, cache_size=estimator.cache_size, n_threads=n_threads
    )
    notes = warn_if_indefinite(estimator, kernel, gram)
    return ClassifierData(X, codes, kernel, gram, weight, n_threads, notes)


def duel_rows(estimator, codes):
    """Rows of every machine, and +1 or -1 for each of them."""
    pairs = duels(len(estimator.classes_), estimator.multi_class)
    return [members(codes, pair) for pair in pairs]


def _part(gram, rows):
    return gram if len(rows) == gram.n else gram.take(rows)


def store_machines(estimator, data, machines):
    """Store what a classifier shows of its trained machines, but for the report of the fit."""
    rng = random.generator(estimator.random_state)
    coef, reports, calibrations = np.zeros((len(data.codes), len(machines))), [], []
    for k, (rows, sign) in enumerate(duel_rows(estimator, data.codes)):
        machine = machines[k]
        coef[rows, k] = machine.coef
        reports.append(_report(estimator, machine, sign, rows))
        if estimator.probability is not False:
            unseen = leave_one_out(_part(data.gram, rows), machine, rng)
            method = METHODS[estimator.probability]
            calibrations.append(calibrate(method, unseen, sign > 0, data.weight[rows]))
    _store(estimator, data.X, data.codes, data.kernel, coef, machines)
    estimator.support_report_ = reports[0] if len(reports) == 1 else reports
    estimator._calibrations = calibrations


def merged(solutions):
    """One solution that stands for several: the worst status, the sums of the objectives."""
    if len(solutions) == 1:
        return solutions[0]
    whole = Solution.merge(solutions, parts="machines", n_iter="sum")
    return replace(whole, extras={"gap": sum(s.extras["optimality"].gap for s in solutions)})


def finish(estimator, solution, notes=()):
    """Store the report, with the primal value and the duality gap in words."""
    gap = solution.extras.get("gap")
    gap = solution.extras["optimality"].gap if gap is None else gap
    words = f"duality gap {gap:.3g} above a primal value of {gap - solution.objective:.6g}"
    solution = replace(solution, n_iter=max(1, solution.n_iter))
    estimator.n_iter_ = solution.n_iter
    estimator.fit_report_ = check.report(estimator, solution, (words, *notes))
    if estimator.verbose:
        sys.stdout.write(f"{estimator.fit_report_}\n")


def row_weights(estimator, codes, weight):
    weight = np.ones(len(codes)) if weight is None else weight
    if getattr(estimator, "class_weight", None) is not None:
        factors = compute_class_weight(
            estimator.class_weight,
            classes=estimator.classes_,
            y=estimator.classes_[codes],
            sample_weight=weight,
        )
        if factors.min() < 0:
            need = "at least 0 for every class"
            raise check.fail(estimator, "class_weight", need, estimator.class_weight)
        weight = weight * factors[codes]
    if len(np.unique(codes[weight > 0])) < 2:
        raise ValueError(
            f"{type(estimator).__name__}: sample_weight must be above 0 in at least 2 classes, "
            "got all samples with positive weights in the same class"
        )
    return weight


def _report(estimator, machine, sign, rows):
    slack = max(2 * estimator.tol, 1e-6)
    return support_report(machine.coef, machine.bound, sign * machine.decision, rows, slack)


def _store(estimator, X, codes, kernel, coef, machines):
    n_classes = len(estimator.classes_)
    support = np.flatnonzero(np.any(coef != 0, axis=1))
    support = support[np.argsort(codes[support], kind="stable")]
    estimator.support_ = support.astype(np.int32)
    estimator.n_support_ = np.bincount(codes[support], minlength=n_classes).astype(np.int32)
    estimator._coef = coef[support]
    biases = [machine.bias for machine in machines]
    estimator.intercept_ = np.array(biases, dtype=precision(X))
    if n_classes > 2 and estimator.multi_class != "ovr":
        estimator.dual_coef_ = by_opponent(estimator._coef, codes[support], n_classes)
    else:
        estimator.dual_coef_ = np.ascontiguousarray(estimator._coef.T)
    store_vectors(estimator, X, kernel)


def store_vectors(estimator, X, kernel):
    """Store support vectors and the number that stands for ``gamma``."""
    if kernel is None:
        estimator.support_vectors_ = np.empty((0, 0))
    else:
        estimator.support_vectors_ = take(X, estimator.support_)
    estimator._kernel = kernel


def precision(X):
    """Data type of the answers: that of a table, double for objects."""
    return np.float64 if isinstance(X, list) else X.dtype
