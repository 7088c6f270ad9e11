"""What a statistics package says of a fitted logistic regression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import stats
from scipy.special import log_softmax

from margin.core.types import Array, Floats, Places
from margin.linear._coefficient_table import coefficient_frame, coefficient_lines, normal_columns

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class LogisticSummary:
    r"""Estimates with their sampling law in the limit of many rows, and fit criteria (linear.32).

    With :math:`F` the Hessian of the negative log-likelihood at the estimate and :math:`P` that of
    the penalty, the covariance of the estimates is :math:`M F M`, :math:`M = (F + P)^{-1}`: the
    inverse of the Fisher information without a penalty.

    Parameters
    ----------
    names : tuple of str
        Intercept, then features; of several classes for each but the first.
    coef, std_error, z_value, p_value, low, high : ndarray
        Estimates, standard errors, z statistics, two-sided p-values and confidence limits: of the
        log-odds of the second class, of several classes of each against the first.
    level : float
        Level of the limits.
    covariance : ndarray
        Covariance of the estimates.
    n_rows, dof : float
        Weight of the rows, and effective number of parameters :math:`\operatorname{tr}(M F)`.
    log_likelihood, null_log_likelihood : float
        Of the model, and of the shares of the classes (equal ones without an intercept).
    pseudo_r2 : float
        McFadden's, one minus the ratio of the two.
    lr_value, lr_p_value : float
        Likelihood-ratio test that all slopes vanish.
    aic, bic : float
        :math:`2K - 2\log L` and :math:`K\log n - 2\log L` with :math:`K` the effective number of
        parameters.
    """

    names: tuple[str, ...]
    coef: Floats
    std_error: Floats
    z_value: Floats
    p_value: Floats
    low: Floats
    high: Floats
    level: float
    covariance: Floats
    n_rows: float
    dof: float
    log_likelihood: float
    null_log_likelihood: float
    pseudo_r2: float
    lr_value: float
    lr_p_value: float
    aic: float
    bic: float

    def _columns(self) -> dict[str, Floats]:
        return {
            "coef": self.coef,
            "std error": self.std_error,
            "z": self.z_value,
            "p": self.p_value,
            "low": self.low,
            "high": self.high,
        }

    def to_frame(self) -> pd.DataFrame:
        """Coefficient table as a pandas frame."""
        return coefficient_frame(self.names, self._columns())

    def __repr__(self) -> str:
        head = [
            f"rows {self.n_rows:g}   parameters {self.dof:.4g}",
            f"pseudo-R² {self.pseudo_r2:.4f}   likelihood ratio {self.lr_value:.4g} "
            f"(p {self.lr_p_value:.3g})",
            f"log-likelihood {self.log_likelihood:.2f}   AIC {self.aic:.2f}   BIC {self.bic:.2f}",
            "",
        ]
        return "\n".join(head + coefficient_lines(self.names, self._columns(), self.level))


def logistic_summary(
    X: Array,
    codes: Places,
    weight: Floats,
    coef: Floats,
    intercept: Floats | None,
    l2: float,
    labels: Sequence[str],
    names: Sequence[str] | None,
    level: float,
) -> LogisticSummary:
    """Summary of a logistic regression on the rows it was fitted to.

    Parameters
    ----------
    X, codes, weight : ndarray
        The rows, their classes and weights.
    coef, intercept : ndarray of shape (1 or K, p), and (1 or K,) or None
        The estimates; ``None`` for a model without intercept.
    l2 : float
        Strength of the quadratic penalty, in units of the log-likelihood.
    labels : sequence of str
        Names of the classes.
    names : sequence of str, optional
        Of the features.
    level : float
        Of the confidence intervals.
    """
    design, beta = X.astype(np.float64), coef.astype(np.float64)
    terms = [f"x{j}" for j in range(X.shape[1])] if names is None else list(names)
    penalty = np.full(X.shape[1], l2)
    if intercept is not None:
        design = np.column_stack([np.ones(len(X)), design])
        beta = np.column_stack([intercept, beta])
        terms, penalty = ["intercept", *terms], np.append(0.0, penalty)
    if len(beta) == 1:
        log_share = log_softmax(np.column_stack([np.zeros(len(X)), design @ beta[0]]), axis=1)
        information = _information(design, weight, np.exp(log_share))[1:, :, 1:, :]
    else:
        log_share = log_softmax(design @ beta.T, axis=1)
        information = _information(design, weight, np.exp(log_share))
        terms = [f"{label}: {term}" for label in labels[1:] for term in terms]
    size = beta.size
    fisher = information.reshape(size, size)
    inverse = np.linalg.pinv(fisher + np.diag(np.tile(penalty, len(beta))), hermitian=True)
    covariance = inverse @ fisher @ inverse
    estimate = beta.ravel()
    if len(beta) > 1:  # only differences of classes are determined by their probabilities
        contrast = np.kron(np.eye(len(beta))[1:] - np.eye(len(beta))[0], np.eye(len(penalty)))
        estimate, covariance = contrast @ estimate, contrast @ covariance @ contrast.T
    std_error = np.sqrt(np.maximum(covariance.diagonal(), 0.0))
    own = float(weight @ log_share[np.arange(len(codes)), codes])
    return LogisticSummary(
        names=tuple(terms),
        coef=estimate,
        std_error=std_error,
        **normal_columns(estimate, std_error, level),
        level=level,
        covariance=covariance,
        n_rows=float(weight.sum()),
        **_criteria(codes, weight, own, float(np.trace(inverse @ fisher)), intercept is not None),
    )


def _information(design: Floats, weight: Floats, share: Floats) -> Floats:
    """Fisher information of softmax scores, of shape (K, d, K, d)."""
    n_classes, d = share.shape[1], design.shape[1]
    information = np.empty((n_classes, d, n_classes, d))
    for k in range(n_classes):
        for other in range(n_classes):
            bend = weight * share[:, k] * ((k == other) - share[:, other])
            information[k, :, other, :] = design.T @ (bend[:, None] * design)
    return information


def _criteria(
    codes: Places, weight: Floats, log_likelihood: float, dof: float, intercept: bool
) -> dict[str, Any]:
    """Likelihood against that of the class shares, and information criteria."""
    total = np.bincount(codes, weights=weight)
    n = float(total.sum())
    share = total / n if intercept else np.full(len(total), 1 / len(total))
    null = float(total @ np.log(np.where(total > 0, share, 1.0)))
    ratio = 2 * (log_likelihood - null)
    slopes = dof - (len(total) - 1) * intercept
    return {
        "dof": dof,
        "log_likelihood": log_likelihood,
        "null_log_likelihood": null,
        "pseudo_r2": 1 - log_likelihood / null if null < 0 else float("nan"),
        "lr_value": ratio,
        "lr_p_value": float(stats.chi2.sf(ratio, slopes)) if slopes > 0 else float("nan"),
        "aic": 2 * dof - 2 * log_likelihood,
        "bic": dof * float(np.log(n)) - 2 * log_likelihood,
    }
