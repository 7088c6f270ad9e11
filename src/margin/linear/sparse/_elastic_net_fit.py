"""What Lasso and ElasticNet share: one engine call per target."""

from dataclasses import replace

import numpy as np

from margin import losses, optim, penalties
from margin.core import Solution, check, progress, threads


def fit_elastic_net(estimator, X, y, sample_weight, l1_ratio):
    """Validate, minimise for every target, store ``coef_``, ``intercept_``, ``fit_report_``."""
    check.params(
        estimator,
        nonnegative="alpha",
        positive="tol",
        count="max_iter",
        flag="fit_intercept warm_start positive",
    )
    X, y, weight = check.data(estimator, X, y, sample_weight, sparse=True, multi_output=True)
    shares = np.full(len(y), 1.0 / len(y)) if weight is None else weight / weight.sum()
    solver = optim.CoordinateDescent(
        tol=estimator.tol, max_iter=estimator.max_iter, positive=estimator.positive
    )
    targets = np.ascontiguousarray(y.reshape(len(y), -1).T)
    starts = _starts(estimator, len(targets), X.shape[1])
    found = []
    with progress.bar(type(estimator).__name__, estimator.max_iter) as tick:
        for target, start in zip(targets, starts, strict=True):
            problem = optim.LinearProblem(
                X,
                target,
                shares,
                losses.Squared(),
                penalties.ElasticNet(float(estimator.alpha), float(l1_ratio)),
                intercept=estimator.fit_intercept,
                n_threads=threads.count(estimator.n_jobs),
            )
            found.append(solver.run(problem, start, tick))
    return _store(estimator, found, X, y.ndim)


def _starts(estimator, n_targets, n_features):
    """Coefficients of the last fit where they are to be used and fit the data, else nothing."""
    coef = getattr(estimator, "coef_", None)
    if not estimator.warm_start or coef is None:
        return [None] * n_targets
    coef = np.atleast_2d(np.asarray(coef, dtype=np.float64))
    if coef.shape != (n_targets, n_features):
        return [None] * n_targets
    if not estimator.fit_intercept:
        return list(coef)
    intercept = np.broadcast_to(np.atleast_1d(estimator.intercept_), (n_targets,))
    return [np.append(w, b) for w, b in zip(coef, intercept, strict=True)]


def _store(estimator, found, X, target_ndim):
    p = X.shape[1]
    coef = np.array([s.x[:p] for s in found]).astype(X.dtype)
    single = target_ndim == 1
    estimator.coef_ = coef[0] if single else coef
    estimator.intercept_ = 0.0
    if estimator.fit_intercept:
        intercept = np.array([s.x[p] for s in found]).astype(X.dtype)
        estimator.intercept_ = intercept[0] if single else intercept
    counts = [max(1, s.n_iter) for s in found]
    gaps = [float(s.extras["gap"]) for s in found]
    estimator.n_iter_ = counts[0] if single else counts
    estimator.dual_gap_ = gaps[0] if single else np.array(gaps)
    whole = replace(Solution.merge(found, parts="targets"), n_iter=max(counts))
    estimator.fit_report_ = check.report(estimator, whole)
    return estimator
