"""What LinearRegression and Ridge share: one engine call for each strength of the penalty."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from margin.core import Certificate, FitError, Solution, Status
from margin.core.types import Array, Floats, Matrix, Places
from margin.linalg import RidgeFit, ridge
from margin.linear.regression._predictive_law import PredictiveLaw

_TOL = 1e-7
_NAMES = {"SVD": "svd", "LSMR": "lsqr"}  # anything else is a Cholesky factorisation


@dataclass(frozen=True, eq=False)
class LeastSquaresFit:
    """Minimiser of the (penalised) sums of squares of one target or several.

    Parameters
    ----------
    coef : ndarray of shape (p,) or (k, p)
        In the precision of the rows; a table where the targets were one.
    intercept : float or ndarray of shape (k,)
    rank : int
        Numerical rank of the centred rows.
    law : PredictiveLaw
        Of new targets.
    n_iter : ndarray of int of shape (k,)
        Solves of each target, refinements included.
    solver : str
        scikit-learn's name of what gave the answer: ``"cholesky"``, ``"svd"`` or ``"lsqr"``.
    solution : Solution
        Residual of the normal equations.
    """

    coef: Array
    intercept: Any
    rank: int
    law: PredictiveLaw
    n_iter: Places
    solver: str
    solution: Solution


def fit_least_squares(
    X: Matrix,
    y: Floats,
    weight: Floats | None,
    alpha: Floats,
    *,
    intercept: bool,
    method: str,
    n_threads: int,
    owner: str,
) -> LeastSquaresFit:
    """Solve for every target; ``alpha`` holds one strength for all, or one for each.

    Examples
    --------
    >>> X, y = np.array([[0.0], [1.0], [2.0]]), np.array([1.0, 2.0, 4.0])
    >>> settings = dict(intercept=True, method="auto", n_threads=1, owner="Ridge")
    >>> fit_least_squares(X, y, None, np.array([2.0]), **settings).coef.round(6)
    array([0.75])
    """
    targets = y.reshape(len(y), -1)
    groups = strength_groups(alpha, targets.shape[1])
    try:
        fits = [
            ridge(
                X,
                targets if len(groups) == 1 else targets[:, columns],
                weight,
                strength,
                intercept=intercept,
                method=method,
                n_threads=n_threads,
            )
            for strength, columns in groups
        ]
    except np.linalg.LinAlgError as error:
        raise FitError(
            f"{owner}: solver must be 'auto' or 'svd' for dependent columns, "
            f"got {method!r} ({error})"
        ) from error
    joined = fits[0] if len(fits) == 1 else _joined(fits, groups)
    member = np.zeros(targets.shape[1], dtype=np.intp) if len(fits) == 1 else _members(groups)
    coef, level = joined.coef.T.astype(X.dtype), joined.intercept.astype(X.dtype)
    law = PredictiveLaw(
        inverses=tuple(f.inverse for f in fits),
        member=member,
        squares=joined.squares,
        rank=fits[0].rank,
        count=float(len(y)) if weight is None else float(weight.sum()),
        intercept=intercept,
    )
    single = y.ndim == 1
    return LeastSquaresFit(
        coef=coef[0] if single else coef,
        intercept=0.0 if not intercept else level[0] if single else level,
        rank=fits[0].rank,
        law=law,
        n_iter=np.array([1 + f.refinements for f in fits])[member],
        solver=_name(max(fits, key=lambda f: f.residual)),
        solution=normal_equations_solution(fits),
    )


def _joined(fits: list[RidgeFit], groups: list[tuple[float, Places]]) -> RidgeFit:
    """Fits of groups of targets as one, in the order of the targets; evidence of the first."""
    order = np.argsort(np.concatenate([columns for _, columns in groups]))
    return replace(
        fits[0],
        coef=np.hstack([f.coef for f in fits])[:, order],
        intercept=np.concatenate([f.intercept for f in fits])[order],
        squares=np.concatenate([f.squares for f in fits])[order],
    )


def _members(groups: list[tuple[float, Places]]) -> Places:
    """The group of each target."""
    order = np.argsort(np.concatenate([columns for _, columns in groups]))
    return np.repeat(np.arange(len(groups)), [len(columns) for _, columns in groups])[order]


def _name(fit: RidgeFit) -> str:
    return _NAMES.get(fit.method.split()[0], "cholesky")


def linear_values(X: Matrix, coef: Array, intercept: Any) -> Array:
    """Predictions ``X @ coef + intercept`` of one target or of several.

    Examples
    --------
    >>> linear_values(np.array([[1.0, 2.0]]), np.array([3.0, 4.0]), 5.0)
    array([16.])
    """
    return np.asarray(X @ coef.T + intercept)


def strength_groups(alpha: Floats, n_targets: int) -> list[tuple[float, Places]]:
    """Targets that share one penalty strength are solved with one factorisation.

    Examples
    --------
    >>> strength_groups(np.array([2.0, 1.0, 2.0]), 3)
    [(1.0, array([1])), (2.0, array([0, 2]))]
    """
    if len(alpha) == 1:
        return [(float(alpha[0]), np.arange(n_targets))]
    return [(float(v), np.flatnonzero(alpha == v)) for v in np.unique(alpha)]


def normal_equations_solution(fits: list[RidgeFit]) -> Solution:
    """The fits as one solution, judged by the worst of them."""
    worst = max(fits, key=lambda f: f.residual)
    converged = worst.residual <= _TOL or worst.objective <= np.finfo(float).tiny
    objective = sum(f.objective for f in fits)
    return Solution(
        x=np.empty(0),
        status=Status.CONVERGED if converged else Status.STALLED,
        n_iter=1 + max(f.refinements for f in fits),
        objective=objective,
        trace={"objective": np.array([objective])},
        certificate=Certificate("relative residual of the normal equations", worst.residual, _TOL),
        solver=worst.method,
        message=""
        if converged
        else f"the normal equations hold only to {worst.residual:.2g}; scale the features",
    )
