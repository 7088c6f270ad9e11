"""What a statistics package says of a fitted regression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from margin.core import check

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class RegressionSummary:
    r"""Estimates with their sampling distribution, fit criteria and diagnostics per row.

    With the design :math:`A` (a column of ones for the intercept) and the penalty matrix
    :math:`P`, the estimator is linear, :math:`\hat\beta = M A^\top y` with
    :math:`M = (A^\top A + P)^{-1}`; its covariance is :math:`\sigma^2 M A^\top A M`, which for
    least squares is :math:`\sigma^2 (A^\top A)^{-1}` (linear.03).

    Parameters
    ----------
    names : tuple of str
        Intercept, then features.
    coef, std_error, t_value, p_value, low, high : ndarray
        Estimates, standard errors, t statistics, two-sided p-values and confidence limits.
    level : float
        Level of the limits.
    covariance : ndarray
        Covariance of the estimates.
    n_rows, dof, sigma2 : float
        Weight of the rows, effective number of parameters (trace of the hat matrix), and the
        unbiased estimate of the noise variance.
    rss, prss : float
        Residual sum of squares, without and with the penalty.
    r2, adjusted_r2, f_value, f_p_value : float
        Share of variance explained and the test that all slopes vanish.
    log_likelihood, aic, bic : float
        Gaussian log-likelihood at its maximum; :math:`2K - 2\log L` and :math:`K\log n - 2\log L`,
        :math:`K` counting the noise variance.
    leverage, studentised, cooks_distance : ndarray of shape (n_samples,)
        Diagonal of the hat matrix, residuals in units of their standard deviation, and the
        influence of every row.
    """

    names: tuple[str, ...]
    coef: Floats
    std_error: Floats
    t_value: Floats
    p_value: Floats
    low: Floats
    high: Floats
    level: float
    covariance: Floats
    n_rows: float
    dof: float
    sigma2: float
    rss: float
    prss: float
    r2: float
    adjusted_r2: float
    f_value: float
    f_p_value: float
    log_likelihood: float
    aic: float
    bic: float
    leverage: Floats
    studentised: Floats
    cooks_distance: Floats

    def to_frame(self) -> pd.DataFrame:
        """Coefficient table as a pandas frame."""
        import pandas as pd

        columns = {
            "coef": self.coef,
            "std error": self.std_error,
            "t": self.t_value,
            "p": self.p_value,
            "low": self.low,
            "high": self.high,
        }
        return pd.DataFrame(columns, index=list(self.names))

    def __repr__(self) -> str:
        width = max(9, *(len(name) for name in self.names))
        percent = f"{100 * self.level:g} %"
        head = [
            f"rows {self.n_rows:g}   parameters {self.dof:.4g}   noise sd {self.sigma2**0.5:.4g}",
            f"R² {self.r2:.4f}   adjusted {self.adjusted_r2:.4f}   "
            f"F {self.f_value:.4g} (p {self.f_p_value:.3g})",
            f"log-likelihood {self.log_likelihood:.2f}   AIC {self.aic:.2f}   BIC {self.bic:.2f}",
            "",
            f"{'':<{width}} {'coef':>11} {'std error':>11} {'t':>8} {'p':>8}   {percent} interval",
        ]
        rows = [
            f"{name:<{width}} {c:>11.4g} {s:>11.4g} {t:>8.2f} {p:>8.3f}   {lo:.4g} to {hi:.4g}"
            for name, c, s, t, p, lo, hi in zip(
                self.names,
                self.coef,
                self.std_error,
                self.t_value,
                self.p_value,
                self.low,
                self.high,
                strict=True,
            )
        ]
        return "\n".join(head + rows)


def summarise(model, X, y, sample_weight=None, level=0.95) -> RegressionSummary:
    """Summary of a fitted ``LinearRegression`` or ``Ridge`` on the rows it was fitted to.

    Parameters
    ----------
    model : LinearRegression or Ridge
        Fitted, with one target.
    X, y, sample_weight
        The rows of the fit; a weight counts as that many rows.
    level : float, default=0.95
        Level of the confidence intervals.

    Returns
    -------
    RegressionSummary

    Examples
    --------
    >>> from margin.linear import LinearRegression, summarise
    >>> X, y = [[0], [1], [2]], [1, 2, 4]
    >>> table = summarise(LinearRegression().fit(X, y), X, y)
    >>> table.coef.round(4), table.std_error.round(4)
    (array([0.8333, 1.5   ]), array([0.3727, 0.2887]))
    """
    if not 0 < level < 1:
        raise check.fail("summarise", "level", "between 0 and 1", level)
    X, y, weight = check.data(model, X, y, sample_weight, sparse=False, reset=False)
    if np.ndim(model.coef_) != 1:
        raise check.fail("summarise", "model", "fitted to one target", np.shape(model.coef_))
    root = np.sqrt(np.ones(len(y)) if weight is None else weight)
    design, names, penalty = _design(model, X)
    A, target = root[:, None] * design, root * y
    inverse = np.linalg.pinv(A.T @ A + np.diag(penalty), hermitian=True)
    beta = np.append(model.intercept_, model.coef_) if model.fit_intercept else model.coef_
    beta = np.asarray(beta, dtype=np.float64)
    error = target - A @ beta
    leverage = np.einsum("ij,jk,ik->i", A, inverse, A)
    n, dof, rss = float(root @ root), float(leverage.sum()), float(error @ error)
    sigma2 = rss / max(n - dof, np.finfo(float).tiny) if n > dof else np.nan
    covariance = sigma2 * inverse @ (A.T @ A) @ inverse
    std = np.sqrt(np.maximum(covariance.diagonal(), 0.0))
    table = _tests(beta, std, n - dof, level)
    fit = _criteria(target, root, model.fit_intercept, rss, dof, n)
    with np.errstate(divide="ignore", invalid="ignore"):
        studentised = error / np.sqrt(sigma2 * np.maximum(1 - leverage, 0.0))
        cook = studentised**2 * leverage / np.maximum(1 - leverage, 0.0) / max(dof, 1e-300)
    return RegressionSummary(
        names=names,
        coef=beta,
        std_error=std,
        **table,
        level=level,
        covariance=covariance,
        n_rows=n,
        dof=dof,
        sigma2=sigma2,
        rss=rss,
        prss=rss + float(penalty @ beta**2),
        **fit,
        leverage=leverage,
        studentised=studentised,
        cooks_distance=cook,
    )


def _design(model, X):
    names = tuple(getattr(model, "feature_names_in_", [f"x{j}" for j in range(X.shape[1])]))
    alpha = float(np.ravel(getattr(model, "alpha", 0.0))[0])
    penalty = np.full(X.shape[1], alpha)
    design = X.astype(np.float64)
    if model.fit_intercept:
        design = np.column_stack([np.ones(len(X)), design])
        return design, ("intercept", *names), np.append(0.0, penalty)
    return design, names, penalty


def _tests(beta, std, dof, level):
    """T statistics of every coefficient, with p-values and limits."""
    with np.errstate(divide="ignore", invalid="ignore"):
        t = beta / std
    reach = stats.t.ppf(0.5 + 0.5 * level, dof) * std if dof > 0 else np.full_like(std, np.nan)
    p = 2 * stats.t.sf(np.abs(t), dof) if dof > 0 else np.full_like(std, np.nan)
    return {"t_value": t, "p_value": p, "low": beta - reach, "high": beta + reach}


def _criteria(target, root, intercept, rss, dof, n):
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
