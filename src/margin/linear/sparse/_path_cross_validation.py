"""Cross-validation along a path: fit the whole path once per fold, judge it, refit the best."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from scipy.sparse import issparse
from sklearn.model_selection import check_cv

from margin.core import check, threads
from margin.linear.sparse._sparse_path import alpha_grid
from margin.optim import elastic_net_path, squares_by_columns


def fit_validated(estimator, X, y, sample_weight, ratios, *, single):
    """Validate, choose ``alpha_`` and the ratio, refit on all rows, store."""
    check.params(estimator, positive="eps tol", count="max_iter", flag="fit_intercept positive")
    X, y, weight = check.data(estimator, X, y, sample_weight, sparse=True)
    columns = X.tocsc() if issparse(X) else X
    weight_ = np.ones(len(y)) if weight is None else weight
    folds = [(_inside(train, weight_), test) for train, test in _splits(estimator, X, y)]

    whole = _problem(estimator, columns, y, weight_ / weight_.sum())
    grids = [
        alpha_grid(estimator, estimator.alphas, whole, r, estimator.eps, estimator.positive)
        for r in ratios
    ]
    errors = _errors(estimator, X, columns, y, weight_, folds, ratios, grids)
    held = np.array([weight_[test].sum() for _, test in folds])
    mean = errors @ (
        held / held.sum() if weight is not None else np.full(len(folds), 1 / len(folds))
    )
    r, k = np.unravel_index(int(np.argmin(mean)), mean.shape)

    # The path down to the chosen strength is the warm start of the last fit.
    found = elastic_net_path(
        whole,
        grids[r][: k + 1],
        ratios[r],
        tol=estimator.tol,
        positive=estimator.positive,
        max_rounds=estimator.max_iter,
    )
    estimator.coef_ = found.coefs[:, -1].astype(X.dtype)
    estimator.intercept_ = X.dtype.type(found.intercepts[-1]) if estimator.fit_intercept else 0.0
    estimator.alpha_, ratio = float(grids[r][k]), ratios[r]
    estimator.alphas_ = grids[0] if single else np.array(grids)
    estimator.mse_path_ = errors[0] if single else errors
    estimator.dual_gap_ = float(found.gaps[-1])
    estimator.n_iter_ = found.solution.n_iter
    notes = (f"alpha={estimator.alpha_:.4g}, l1_ratio={ratio:g} chosen by {len(folds)} folds",)
    estimator.fit_report_ = check.report(estimator, found.solution, notes=notes)
    return ratio


def _splits(estimator, X, y):
    try:
        splitter = check_cv(estimator.cv)
    except ValueError as error:
        need = "a number of folds, a splitter or an iterable of splits"
        raise check.fail(estimator, "cv", need, estimator.cv) from error
    return list(splitter.split(np.zeros((X.shape[0], 1)), y))


def _inside(train, weight):
    """Weights of a fold's fit: those of its rows, zero elsewhere, so the data are not copied."""
    shares = np.zeros(len(weight))
    shares[train] = weight[train]
    return shares / (shares.sum() or 1.0)


def _problem(estimator, columns, y, shares, n_threads=None):
    return squares_by_columns(
        columns,
        y,
        shares,
        intercept=estimator.fit_intercept,
        n_threads=n_threads or threads.count(estimator.n_jobs),
        many=True,
    )


def _errors(estimator, X, columns, y, weight, folds, ratios, grids):
    """Held-out mean squared errors, of shape (ratios, strengths, folds)."""
    workers = min(threads.count(estimator.n_jobs), len(folds))

    def judge(fold):
        shares, test = fold
        problem = _problem(estimator, columns, y, shares, n_threads=1)
        made = [
            elastic_net_path(
                problem,
                grid,
                ratio,
                tol=estimator.tol,
                positive=estimator.positive,
                max_rounds=estimator.max_iter,
            )
            for ratio, grid in zip(ratios, grids, strict=True)
        ]
        return [_mean_square(X[test], y[test], weight[test], path) for path in made]

    if workers == 1:
        found = [judge(fold) for fold in folds]
    else:
        with ThreadPoolExecutor(workers) as pool:
            found = list(pool.map(judge, folds))
    return np.moveaxis(np.array(found), 0, -1)


def _mean_square(X, y, weight, path):
    used = np.flatnonzero(path.coefs.any(axis=1))
    residual = y[:, None] - X[:, used] @ path.coefs[used] - path.intercepts
    return weight @ residual**2 / (weight.sum() or 1.0)
