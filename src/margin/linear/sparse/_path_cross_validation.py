"""Cross-validation along a path: fit the whole path once per fold, judge it, refit the best."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.model_selection import check_cv

from margin.core import Solution, check
from margin.core.types import Array, Floats, Matrix, Places
from margin.linear.sparse._convergence_words import in_known_words
from margin.linear.sparse._strengths import alpha_grid
from margin.optim import ElasticNetPath, elastic_net_path, squares_by_columns, strongest_penalty

Fold = tuple[Places, Places]


@dataclass(frozen=True)
class PathSettings:
    """What is minimised along the path, and how far.

    Parameters
    ----------
    alphas : int or array-like
        How many strengths, or the strengths themselves.
    eps : float
        Least strength of an automatic sequence, as a share of the largest.
    intercept, positive : bool
        Whether there is an intercept, and whether coefficients must be at least 0.
    tol, max_iter : float and int
        Relative duality gap that counts as zero, and most sweeps per strength.
    n_threads : int
    owner : str
        Who asks, for messages.
    """

    alphas: Any
    eps: float
    intercept: bool
    positive: bool
    tol: float
    max_iter: int
    n_threads: int
    owner: str

    def path(
        self, problem: Any, alphas: Floats, ratio: float, *, exact: bool = True
    ) -> ElasticNetPath:
        """Fits for decreasing strengths; ``exact`` with a gap measured on the data."""
        return elastic_net_path(
            problem,
            alphas,
            ratio,
            tol=self.tol,
            positive=self.positive,
            max_iter=self.max_iter,
            exact=exact,
        )

    def problem(self, columns: Matrix, y: Floats, shares: Floats, n_threads: int) -> Any:
        """Least squares of rows with these shares, prepared for many strengths."""
        return squares_by_columns(
            columns, y, shares, intercept=self.intercept, n_threads=n_threads, many=True
        )


@dataclass(frozen=True, eq=False)
class ValidatedPath:
    """What the folds decided, and the path down to it on all rows.

    Parameters
    ----------
    alpha, l1_ratio : float
        The pair of least mean error.
    grids : list of ndarray
        Strengths tried for each ratio.
    errors : ndarray of shape (n_ratios, n_alphas, n_folds)
        Mean squared errors on the held-out rows.
    path : ElasticNetPath
        On all rows; its last fit is the answer.
    """

    alpha: float
    l1_ratio: float
    grids: list[Floats]
    errors: Floats
    path: ElasticNetPath

    @property
    def solution(self) -> Solution:
        """The path as a search, counted in sweeps of the chosen strength."""
        counted = replace(self.path.solution, n_iter=max(1, int(self.path.n_iters[-1])))
        return in_known_words(counted)

    @property
    def note(self) -> str:
        """What was chosen, in words."""
        folds = self.errors.shape[-1]
        return f"alpha={self.alpha:.4g}, l1_ratio={self.l1_ratio:g} chosen by {folds} folds"


def validated_path(
    X: Matrix,
    y: Floats,
    weight: Floats | None,
    ratios: Sequence[float],
    folds: Sequence[Fold],
    settings: PathSettings,
) -> ValidatedPath:
    """Choose strength and ratio by the folds, and fit on all rows."""
    columns = X.tocsc() if issparse(X) else X
    mass = np.ones(len(y)) if weight is None else weight
    whole = settings.problem(columns, y, mass / mass.sum(), settings.n_threads)
    top = strongest_penalty(whole, 1.0, positive=settings.positive)
    grids = [alpha_grid(settings.owner, settings.alphas, top, r, settings.eps) for r in ratios]
    errors = _errors(X, columns, y, mass, folds, ratios, grids, settings)
    # Folds count alike, with weights too: weights of one are the same as none.
    mean = errors.mean(axis=-1)
    r, k = divmod(int(np.argmin(mean)), mean.shape[1])
    # The path down to the chosen strength is the warm start of the last fit.
    path = settings.path(whole, grids[r][: k + 1], ratios[r])
    return ValidatedPath(float(grids[r][k]), ratios[r], grids, errors, path)


def splits(
    owner: str, cv: Any, n_samples: int, y: Floats, extra: Mapping[str, Any] | None = None
) -> list[Fold]:
    """Rows to fit and rows to judge by, for each fold; ``extra`` is for the splitter."""
    try:
        splitter = check_cv(cv)
    except ValueError as error:
        need = "a number of folds, a splitter or an iterable of splits"
        raise check.fail(owner, "cv", need, cv) from error
    return list(splitter.split(np.zeros((n_samples, 1)), y, **(extra or {})))


def inside(train: Places, weight: Floats) -> Floats:
    """Weights of a fold's fit: those of its rows, zero elsewhere, so the data are not copied.

    Examples
    --------
    >>> inside(np.array([0, 2]), np.array([1.0, 5.0, 3.0]))
    array([0.25, 0.  , 0.75])
    """
    shares = np.zeros(len(weight))
    shares[train] = weight[train]
    return np.asarray(shares / (shares.sum() or 1.0))


def _errors(
    X: Matrix,
    columns: Matrix,
    y: Floats,
    weight: Floats,
    folds: Sequence[Fold],
    ratios: Sequence[float],
    grids: Sequence[Floats],
    settings: PathSettings,
) -> Floats:
    """Held-out mean squared errors, of shape (ratios, strengths, folds)."""

    def judge(fold: Fold) -> list[Floats]:
        train, test = fold
        problem = settings.problem(columns, y, inside(train, weight), 1)
        paths = [
            settings.path(problem, grid, ratio, exact=False)
            for ratio, grid in zip(ratios, grids, strict=True)
        ]
        return [_mean_square(X[test], y[test], weight[test], path) for path in paths]

    workers = min(settings.n_threads, len(folds))
    if workers == 1:
        judged = [judge(fold) for fold in folds]
    else:
        with ThreadPoolExecutor(workers) as pool:
            judged = list(pool.map(judge, folds))
    return np.moveaxis(np.array(judged), 0, -1)


def _mean_square(X: Array, y: Floats, weight: Floats, path: ElasticNetPath) -> Floats:
    used = np.flatnonzero(path.coefs.any(axis=1))
    residual = y[:, None] - X[:, used] @ path.coefs[used] - path.intercepts
    return np.asarray(weight @ residual**2 / (weight.sum() or 1.0))
