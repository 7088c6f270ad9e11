"""What LinearRegression and Ridge share: one engine call, stored as scikit-learn names it."""

import numpy as np

from margin.core import Certificate, FitError, Solution, Status, check, threads
from margin.linalg import RidgeFit, ridge

_TOL = 1e-7


def fit_least_squares(estimator, X, y, sample_weight, alpha, method):
    """Validate, solve for every target, store ``coef_``, ``intercept_``, ``fit_report_``."""
    X, y, weight = check.data(estimator, X, y, sample_weight, sparse=True, multi_output=True)
    targets = y.reshape(len(y), -1)
    n_threads = threads.count(estimator.n_jobs)
    groups = _groups(estimator, alpha, targets.shape[1])
    try:
        fits = [
            ridge(
                X,
                targets[:, columns],
                weight,
                strength,
                intercept=estimator.fit_intercept,
                method=method,
                n_threads=n_threads,
            )
            for strength, columns in groups
        ]
    except np.linalg.LinAlgError as error:
        raise FitError(
            f"{type(estimator).__name__}: solver must be 'auto' or 'svd' for dependent columns, "
            f"got {method!r} ({error})"
        ) from error
    order = np.argsort(np.concatenate([columns for _, columns in groups]))
    coef = np.hstack([f.coef for f in fits])[:, order].T.astype(X.dtype)
    intercept = np.concatenate([f.intercept for f in fits])[order].astype(X.dtype)

    estimator.coef_ = coef[0] if y.ndim == 1 else coef
    estimator.intercept_ = _intercept(estimator, intercept, y.ndim)
    estimator.rank_ = fits[0].rank
    estimator.fit_report_ = check.report(estimator, _solution(fits))
    estimator.n_iter_ = estimator.fit_report_.n_iter
    return estimator


def predict_linear(estimator, X):
    """``X @ coef + intercept``."""
    X = check.table(estimator, X, sparse=True)
    return np.asarray(X @ estimator.coef_.T + estimator.intercept_)


def _groups(estimator, alpha, n_targets):
    """Targets that share one penalty strength are solved with one factorisation."""
    strengths = np.atleast_1d(np.asarray(alpha, dtype=np.float64))
    if strengths.shape not in ((1,), (n_targets,)):
        raise check.fail(
            estimator, "alpha", f"a number or one per target ({n_targets})", strengths.shape
        )
    if len(strengths) == 1:
        return [(float(strengths[0]), np.arange(n_targets))]
    return [(float(v), np.flatnonzero(strengths == v)) for v in np.unique(strengths)]


def _intercept(estimator, intercept, target_ndim):
    if not estimator.fit_intercept:
        return 0.0
    return intercept[0] if target_ndim == 1 else intercept


def _solution(fits: list[RidgeFit]) -> Solution:
    worst = max(fits, key=lambda f: f.residual)
    converged = worst.residual <= _TOL or worst.objective <= np.finfo(float).tiny
    return Solution(
        x=np.empty(0),
        status=Status.CONVERGED if converged else Status.STALLED,
        n_iter=1 + max(f.refinements for f in fits),
        objective=sum(f.objective for f in fits),
        trace={"objective": np.array([sum(f.objective for f in fits)])},
        certificate=Certificate("relative residual of the normal equations", worst.residual, _TOL),
        solver=worst.method,
        message=""
        if converged
        else f"the normal equations hold only to {worst.residual:.2g}; scale the features",
    )
