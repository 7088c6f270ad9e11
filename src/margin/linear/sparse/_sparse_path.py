"""Paths of the lasso and the elastic net as functions."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_array, check_consistent_length

from margin.core import check, threads
from margin.core.types import Array, Floats, Indices
from margin.linear.sparse._accepted import check_precompute
from margin.optim import elastic_net_path, squares_by_columns, strongest_penalty

Path = tuple[Floats, Array, Floats] | tuple[Floats, Array, Floats, Indices]


def lasso_path(
    X: Any,
    y: Any,
    *,
    eps: float = 1e-3,
    alphas: Any = 100,
    precompute: Any = "auto",
    Xy: Any = None,
    copy_X: bool = True,
    coef_init: Any = None,
    verbose: bool | int = False,
    positive: bool = False,
    tol: float = 1e-4,
    max_iter: int = 1000,
    return_n_iter: bool = False,
    check_input: bool = True,
    random_state: Any = None,
    selection: str = "cyclic",
    n_jobs: int | None = None,
) -> Path:
    r"""Lasso coefficients for decreasing penalty strengths (linear.14).

    As :func:`enet_path` with ``l1_ratio=1``.

    Returns
    -------
    alphas : ndarray of shape (n_alphas,)
    coefs : ndarray of shape (n_features, n_alphas)
    dual_gaps : ndarray of shape (n_alphas,)
    n_iters : ndarray of shape (n_alphas,)
        With ``return_n_iter``.

    Examples
    --------
    >>> import numpy as np
    >>> alphas, coefs, gaps = lasso_path(np.eye(2), [4.0, 1.0], alphas=[1.0, 0.25])
    >>> coefs.round(6) + 0.0
    array([[2. , 3.5],
           [0. , 0.5]])
    """
    return enet_path(
        X,
        y,
        l1_ratio=1.0,
        eps=eps,
        alphas=alphas,
        precompute=precompute,
        Xy=Xy,
        copy_X=copy_X,
        coef_init=coef_init,
        verbose=verbose,
        random_state=random_state,
        selection=selection,
        check_input=check_input,
        positive=positive,
        tol=tol,
        max_iter=max_iter,
        return_n_iter=return_n_iter,
        n_jobs=n_jobs,
    )


def enet_path(
    X: Any,
    y: Any,
    *,
    l1_ratio: float = 0.5,
    eps: float = 1e-3,
    alphas: Any = 100,
    precompute: Any = "auto",
    Xy: Any = None,
    copy_X: bool = True,
    coef_init: Any = None,
    verbose: bool | int = False,
    positive: bool = False,
    tol: float = 1e-4,
    max_iter: int = 1000,
    return_n_iter: bool = False,
    check_input: bool = True,
    random_state: Any = None,
    selection: str = "cyclic",
    n_jobs: int | None = None,
) -> Path:
    r"""Elastic-net coefficients for decreasing penalty strengths (linear.15).

    Minimises, for every :math:`\alpha` and without intercept (centre ``X`` and ``y`` for one),

    .. math:: \frac1{2n} \|y - Xw\|^2 + \alpha\rho \|w\|_1 + \tfrac12 \alpha(1 - \rho) \|w\|^2.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        In either memory order; never copied as a whole.
    y : array-like of shape (n_samples,)
    l1_ratio : float, default=0.5
        Share :math:`\rho` of the absolute values, above 0 unless ``alphas`` are given.
    eps : float, default=1e-3
        Smallest strength of the automatic sequence, as a share of the largest.
    alphas : int or array-like, default=100
        How many strengths, spaced evenly in their logarithm, or the strengths themselves.
    precompute, Xy, copy_X, coef_init, verbose, check_input, random_state, selection
        scikit-learn's, without effect: products are computed where they are needed, the data are
        never changed, the path starts at its largest strength, and nothing is drawn or skipped.
    positive : bool, default=False
        Whether the coefficients must be at least 0.
    tol : float, default=1e-4
        Relative duality gap that counts as zero.
    max_iter : int, default=1000
        Most working sets per strength.
    return_n_iter : bool, default=False
        Whether to return the sweeps made, too.
    n_jobs : int, optional
        Threads of the compiled passes; the answer does not depend on it.

    Returns
    -------
    alphas : ndarray of shape (n_alphas,)
    coefs : ndarray of shape (n_features, n_alphas)
    dual_gaps : ndarray of shape (n_alphas,)
    n_iters : ndarray of shape (n_alphas,)
        With ``return_n_iter``.
    """
    check.params(
        _Settings(l1_ratio, eps, positive, tol, max_iter, return_n_iter, selection),
        fraction="l1_ratio",
        positive="eps tol",
        count="max_iter",
        flag="positive return_n_iter",
        one_of={"selection": ("cyclic", "random")},
    )
    X = check_array(X, accept_sparse="csc", dtype=[np.float64, np.float32])
    y = check_array(y, ensure_2d=False, dtype=np.float64)
    check_consistent_length(X, y)
    check_precompute("enet_path", precompute, X.shape[1], auto=True)
    if y.ndim != 1:
        raise check.fail("enet_path", "y", "of one dimension", y.shape)
    problem = squares_by_columns(
        X,
        y,
        np.full(len(y), 1.0 / len(y)),
        intercept=False,
        n_threads=threads.count(n_jobs),
        many=True,
    )
    grid = alpha_grid("enet_path", alphas, problem, l1_ratio, eps, positive)
    path = elastic_net_path(
        problem, grid, l1_ratio, tol=tol, positive=positive, max_rounds=max_iter
    )
    check.report("enet_path", path.solution)
    coefs = path.coefs.astype(X.dtype, copy=False)
    if return_n_iter:
        return path.alphas, coefs, path.gaps, path.n_iters
    return path.alphas, coefs, path.gaps


@dataclass(frozen=True)
class _Settings:
    """The parameters of a path, checked like those of an estimator and named after the function."""

    l1_ratio: float
    eps: float
    positive: bool
    tol: float
    max_iter: int
    return_n_iter: bool
    selection: str


_Settings.__name__ = "enet_path"


def alpha_grid(
    owner: str, alphas: Any, problem: Any, l1_ratio: float, eps: float, positive: bool
) -> Floats:
    """Strengths in decreasing order, as given or from the least that lets no feature in."""
    if np.ndim(alphas) == 0:
        if not isinstance(alphas, int | np.integer) or isinstance(alphas, bool) or alphas < 1:
            raise check.fail(owner, "alphas", "a count of at least 1 or an array", alphas)
        if l1_ratio == 0:
            raise check.fail(owner, "l1_ratio", "above 0 unless alphas are given", l1_ratio)
        top = strongest_penalty(problem, l1_ratio, positive=positive)
        top = max(top, np.finfo(np.float64).resolution)
        return np.geomspace(top, top * eps, alphas)
    grid = np.asarray(alphas, dtype=np.float64)
    if grid.ndim == 1 and (grid < 0).any():
        k = int(np.flatnonzero(grid < 0)[0])
        raise ValueError(
            f"{owner}: alphas must be a list of numbers of at least 0, got "
            f"alphas[{k}] == {alphas[k]}, must be >= 0.0."
        )
    if grid.ndim != 1 or not grid.size or not np.isfinite(grid).all() or grid.min() < 0:
        raise check.fail(owner, "alphas", "a list of numbers of at least 0", alphas)
    return np.sort(grid)[::-1]
