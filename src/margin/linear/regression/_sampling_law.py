"""Estimates of a linear model with their sampling law, on the rows of the fit."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import stats

from margin.core import check
from margin.core.types import Array, Floats
from margin.linalg import svd
from margin.linear.regression._summary import RegressionSummary


def regression_summary(
    X: Array,
    y: Floats,
    weight: Floats | None,
    coef: Array,
    intercept: float | None,
    alpha: float,
    names: Sequence[str] | None,
    level: float,
) -> RegressionSummary:
    """Summary of a linear model on the rows it was fitted to.

    Parameters
    ----------
    X, y, weight : ndarray
        The rows.
    coef, intercept : ndarray of shape (p,), and float or None
        The estimates; ``None`` for a model without intercept.
    alpha : float
        Strength of the quadratic penalty.
    names : sequence of str, optional
        Of the features.
    level : float
        Of the confidence intervals.
    """
    if not 0 < level < 1:
        raise check.fail("summarise", "level", "between 0 and 1", level)
    if np.ndim(coef) != 1:
        raise check.fail("summarise", "model", "fitted to one target", np.shape(coef))
    labels = [f"x{j}" for j in range(X.shape[1])] if names is None else list(names)
    root = np.sqrt(np.ones(len(y)) if weight is None else weight)
    design, penalty, beta = X.astype(np.float64), np.full(X.shape[1], alpha), coef
    if intercept is not None:
        design = np.column_stack([np.ones(len(X)), design])
        labels, penalty = ["intercept", *labels], np.append(0.0, penalty)
        beta = np.append(intercept, coef)
    return _of_design(
        root[:, None] * design,
        root * y,
        root,
        np.asarray(beta, dtype=np.float64),
        penalty,
        tuple(labels),
        intercept is not None,
        level,
    )


def _of_design(
    A: Floats,
    target: Floats,
    root: Floats,
    beta: Floats,
    penalty: Floats,
    names: tuple[str, ...],
    intercept: bool,
    level: float,
) -> RegressionSummary:
    """Everything that follows from the weighted design, its target and the estimates."""
    spread = _pseudo_inverse(A, penalty)
    error = target - A @ beta
    leverage = np.einsum("ij,ji->i", A, spread)
    n, dof, rss = float(root @ root), float(leverage.sum()), float(error @ error)
    sigma2 = rss / max(n - dof, np.finfo(float).tiny) if n > dof else np.nan
    covariance = sigma2 * spread @ spread.T
    std = np.sqrt(np.maximum(covariance.diagonal(), 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        studentised = error / np.sqrt(sigma2 * np.maximum(1 - leverage, 0.0))
        cook = studentised**2 * leverage / np.maximum(1 - leverage, 0.0) / max(dof, 1e-300)
    return RegressionSummary(
        names=names,
        coef=beta,
        std_error=std,
        **_tests(beta, std, n - dof, level),
        level=level,
        covariance=covariance,
        n_rows=n,
        dof=dof,
        sigma2=sigma2,
        rss=rss,
        prss=rss + float(penalty @ beta**2),
        **_criteria(target, root, intercept, rss, dof, n),
        leverage=leverage,
        studentised=studentised,
        cooks_distance=cook,
    )


def _pseudo_inverse(A: Floats, penalty: Floats) -> Floats:
    """Matrix that turns the target into the estimates, from singular values of unit columns.

    The design itself is factored: its products would square the condition, and columns far from 0
    next to a column of ones lose all their digits that way.
    """
    tall = np.vstack([A, np.diag(np.sqrt(penalty))[penalty > 0]])
    norms = np.linalg.norm(tall, axis=0)
    norms = np.where(norms > 0, norms, 1.0)
    U, d, Vt = svd(tall / norms)
    kept = d > max(tall.shape) * np.finfo(np.float64).eps * d.max(initial=0.0)
    inverse = (Vt[kept].T / d[kept]) @ U[: len(A), kept].T
    return np.asarray(inverse / norms[:, None])


def _tests(beta: Floats, std: Floats, dof: float, level: float) -> dict[str, Any]:
    """T statistics of every coefficient, with p-values and limits."""
    with np.errstate(divide="ignore", invalid="ignore"):
        t = beta / std
    reach = stats.t.ppf(0.5 + 0.5 * level, dof) * std if dof > 0 else np.full_like(std, np.nan)
    p = 2 * stats.t.sf(np.abs(t), dof) if dof > 0 else np.full_like(std, np.nan)
    return {"t_value": t, "p_value": p, "low": beta - reach, "high": beta + reach}


def _criteria(
    target: Floats, root: Floats, intercept: bool, rss: float, dof: float, n: float
) -> dict[str, Any]:
    """Variance explained, F test and information criteria."""
    mean = float(root @ target) / n if intercept else 0.0
    total = float(np.sum((target - root * mean) ** 2))
    slopes = dof - float(intercept)
    r2 = 1 - rss / total if total > 0 else np.nan
    left = n - dof
    adjusted = 1 - (1 - r2) * (n - float(intercept)) / left if left > 0 else np.nan
    usable = slopes > 0 and left > 0 and rss > 0
    f = ((total - rss) / slopes) / (rss / left) if usable else np.nan
    log_likelihood = -0.5 * n * (np.log(2 * np.pi * max(rss, 1e-300) / n) + 1)
    k = dof + 1
    return {
        "r2": r2,
        "adjusted_r2": adjusted,
        "f_value": f,
        "f_p_value": float(stats.f.sf(f, slopes, left)) if usable else np.nan,
        "log_likelihood": float(log_likelihood),
        "aic": float(2 * k - 2 * log_likelihood),
        "bic": float(k * np.log(n) - 2 * log_likelihood),
    }
