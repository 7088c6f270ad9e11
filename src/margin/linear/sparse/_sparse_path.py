"""Paths of the lasso and the elastic net as functions."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils.validation import check_array, check_consistent_length

from margin.core import check, threads
from margin.core.types import Array, Floats, Indices
from margin.linear.sparse._accepted import check_precompute, check_products
from margin.linear.sparse._convergence_words import in_known_words
from margin.linear.sparse._strengths import alpha_grid, counted_strengths
from margin.optim import (
    BlockPath,
    BlockSquares,
    ElasticNetPath,
    block_path,
    elastic_net_path,
    squares_by_columns,
    strongest_penalty,
)

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
    n_alphas: Any = "deprecated",
    **params: Any,
) -> Path:
    r"""Lasso coefficients for decreasing penalty strengths (linear.14).

    As :func:`enet_path` with ``l1_ratio=1``.

    Returns
    -------
    alphas : ndarray of shape (n_alphas,)
    coefs : ndarray of shape (n_features, n_alphas) or (n_targets, n_features, n_alphas)
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
        n_alphas=n_alphas,
        **params,
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
    n_alphas: Any = "deprecated",
    **params: Any,
) -> Path:
    r"""Elastic-net coefficients for decreasing penalty strengths (linear.15).

    Minimises, for every :math:`\alpha` and without intercept (centre ``X`` and ``y`` for one),

    .. math:: \frac1{2n} \|y - Xw\|^2 + \alpha\rho \|w\|_1 + \tfrac12 \alpha(1 - \rho) \|w\|^2.

    Several targets share their features: the absolute values become :math:`\sum_j \|w_j\|_2`, the
    lengths of the rows of the coefficients, so that a feature enters for all targets or for none.

    Parameters
    ----------
    X : array-like or sparse matrix of shape (n_samples, n_features)
        In either memory order; never copied as a whole.
    y : array-like of shape (n_samples,) or (n_samples, n_targets)
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
        Whether the coefficients must be at least 0; for one target only.
    tol : float, default=1e-4
        Relative duality gap that counts as zero.
    max_iter : int, default=1000
        Most sweeps per strength.
    return_n_iter : bool, default=False
        Whether to return the sweeps made, too.
    n_jobs : int, optional
        Threads of the compiled passes; the answer does not depend on it.
    n_alphas : int
        Deprecated by scikit-learn: give the number of strengths as ``alphas``.
    **params : dict
        Refused: nothing else is known.

    Returns
    -------
    alphas : ndarray of shape (n_alphas,)
    coefs : ndarray of shape (n_features, n_alphas) or (n_targets, n_features, n_alphas)
    dual_gaps : ndarray of shape (n_alphas,)
    n_iters : ndarray of shape (n_alphas,)
        With ``return_n_iter``.
    """
    if params:
        known = f"enet_path: Unexpected parameters in params, got {sorted(params)}"
        raise ValueError(known)
    alphas = counted_strengths("enet_path", alphas, n_alphas)
    check.params(
        _Settings(l1_ratio, eps, positive, tol, max_iter, return_n_iter, selection),
        fraction="l1_ratio",
        positive="eps",
        nonnegative="tol",
        count="max_iter",
        flag="positive return_n_iter",
        one_of={"selection": ("cyclic", "random")},
    )
    X = check_array(X, accept_sparse="csc", dtype=[np.float64, np.float32])
    y = check_array(y, ensure_2d=False, dtype=np.float64)
    check_consistent_length(X, y)
    check_precompute("enet_path", precompute, X.shape[1], auto=True)
    check_products("enet_path", precompute, X, None, intercept=False)
    if y.ndim > 2:
        raise check.fail("enet_path", "y", "of one or two dimensions", y.shape)
    if y.ndim == 2 and positive:
        raise ValueError(
            "enet_path: positive must be False for several targets, got positive=True is not "
            "allowed for multi-output (y.ndim != 1)"
        )
    path: ElasticNetPath | BlockPath
    if y.ndim == 2:
        squares = BlockSquares(X, y)
        grid = alpha_grid("enet_path", alphas, squares.strongest, l1_ratio, eps)
        path = block_path(squares, grid, l1_ratio, tol=tol, max_iter=max_iter)
    else:
        shares, n_threads = np.full(len(y), 1.0 / len(y)), threads.count(n_jobs)
        problem = squares_by_columns(X, y, shares, intercept=False, n_threads=n_threads, many=True)
        top = strongest_penalty(problem, 1.0, positive=positive)
        grid = alpha_grid("enet_path", alphas, top, l1_ratio, eps)
        path = elastic_net_path(
            problem, grid, l1_ratio, tol=tol, positive=positive, max_iter=max_iter
        )
    check.report("enet_path", in_known_words(path.solution))
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
