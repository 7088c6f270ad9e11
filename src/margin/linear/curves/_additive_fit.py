"""Sums of smooth functions: columns, strengths of the penalties, and coefficients."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from margin import optim
from margin.core import Solution, Status
from margin.core.progress import Callback
from margin.core.types import Array, Floats
from margin.linear.curves._additive_basis import SplineBasis
from margin.linear.curves._restricted_likelihood import RestrictedLikelihood

_CHUNK = 8192
_NO_SPREAD = 1e-24  # of a target, per row, that counts as constant


@dataclass(frozen=True, eq=False)
class AdditiveFit:
    """A fitted sum of smooth functions.

    Parameters
    ----------
    bases : list of SplineBasis
        Columns of each feature.
    coef, covariance : ndarray of shape (q,) and (q, q)
        Coefficients of all columns and their posterior covariance.
    level, noise_variance, count : float
        Mean of the target, variance of the noise, and the weight of the rows.
    dof : ndarray of shape (p,)
        Effective degrees of freedom of each function.
    line_alpha, alpha : float and ndarray of shape (p,)
        Strengths of the penalties on the lines and on what bends.
    solution : Solution
        The search for the strengths.
    """

    bases: list[SplineBasis]
    coef: Floats
    covariance: Floats
    level: float
    noise_variance: float
    count: float
    dof: Floats
    line_alpha: float
    alpha: Floats
    solution: Solution


def fit_additive(
    X: Floats,
    y: Floats,
    weight: Floats,
    given: Floats | None,
    n_knots: int,
    solver: optim.Newton,
    tick: Callback | None = None,
) -> AdditiveFit:
    """Fit one function per feature, with strengths ``given`` or of largest likelihood."""
    bases = [SplineBasis.of(x, weight, n_knots) for x in X.T]
    level = float(weight @ y / weight.sum())
    likelihood = additive_likelihood(bases, X, y - level, weight)
    q, p = len(likelihood.group), len(bases)
    trivial = likelihood.total <= _NO_SPREAD * likelihood.count or not q
    solution, strengths = _strengths(likelihood, given, p, trivial, solver, tick)
    coef, covariance, noise, dof = np.zeros(q), np.zeros((q, q)), 0.0, np.zeros(p)
    if not trivial:
        fit = likelihood.solve(strengths)
        coef, noise = fit.coef, fit.squares / likelihood.freedom
        covariance = noise * fit.covariance
        column_dof = 1.0 - strengths[likelihood.group] * np.diag(fit.covariance)
        feature = np.repeat(np.arange(p), [basis.n_columns for basis in bases])
        dof = np.bincount(feature, column_dof, minlength=p).astype(np.float64, copy=False)
    return AdditiveFit(
        bases=bases,
        coef=coef,
        covariance=covariance,
        level=level,
        noise_variance=noise,
        count=likelihood.count,
        dof=dof,
        line_alpha=float(strengths[0]),
        alpha=strengths[1:],
        solution=solution,
    )


def additive_columns(bases: Sequence[SplineBasis], X: Array) -> Floats:
    """Columns of all features, side by side."""
    return np.hstack([basis.columns(x) for basis, x in zip(bases, X.T, strict=True)])


def column_blocks(bases: Sequence[SplineBasis]) -> list[slice]:
    """Which columns belong to each feature."""
    ends = np.cumsum([basis.n_columns for basis in bases])
    return [slice(int(e) - b.n_columns, int(e)) for b, e in zip(bases, ends, strict=True)]


def additive_likelihood(
    bases: Sequence[SplineBasis], X: Floats, y: Floats, weight: Floats
) -> RestrictedLikelihood:
    """Sums over the rows; group 0 holds the lines, group j + 1 what bends of feature j."""
    groups = [
        [0, *[j + 1] * (basis.n_columns - 1)] if basis.n_columns else []
        for j, basis in enumerate(bases)
    ]
    group = np.array([g for part in groups for g in part], dtype=np.intp)
    gram, moment = np.zeros((len(group),) * 2), np.zeros(len(group))
    for start in range(0, len(y), _CHUNK):
        rows = slice(start, start + _CHUNK)
        columns = additive_columns(bases, X[rows])
        weighted = weight[rows, None] * columns
        gram += columns.T @ weighted
        moment += weighted.T @ y[rows]
    total, count = float(weight @ y**2), float(weight.sum())
    return RestrictedLikelihood(gram, moment, total, count, group)


def _strengths(
    likelihood: RestrictedLikelihood,
    given: Floats | None,
    n_features: int,
    trivial: bool,
    solver: optim.Newton,
    tick: Callback | None,
) -> tuple[Solution, Floats]:
    """Solution of the search, and the strengths of the lines and of every feature."""
    if given is not None or trivial:
        scale = float(np.trace(likelihood.gram)) / max(len(likelihood.group), 1)
        bends = np.full(n_features, max(scale, 1.0)) if given is None else given
        strengths = np.concatenate([[1e-8 * likelihood.count], bends])
        solution = Solution(
            x=np.log(strengths),
            status=Status.CONVERGED,
            n_iter=1,
            objective=0.0 if trivial else likelihood.solve(strengths).squares,
            solver="one linear system",
        )
        return solution, strengths
    present = np.unique(likelihood.group)
    packed = RestrictedLikelihood(
        likelihood.gram,
        likelihood.moment,
        likelihood.total,
        likelihood.count,
        np.searchsorted(present, likelihood.group),
    )
    solution = optim.minimise(packed.problem(), solver, callback=tick)
    strengths = np.full(n_features + 1, np.inf)
    strengths[present] = packed.alpha(solution.x)
    return solution, strengths
