"""What a statistics package says of a fitted regression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from margin.core import check
from margin.core.types import Floats
from margin.linear._coefficient_table import LEVEL, coefficient_frame, coefficient_lines

if TYPE_CHECKING:
    import pandas as pd


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

    def _columns(self) -> dict[str, Floats]:
        return {
            "coef": self.coef,
            "std error": self.std_error,
            "t": self.t_value,
            "p": self.p_value,
            "low": self.low,
            "high": self.high,
        }

    def to_frame(self) -> pd.DataFrame:
        """Coefficient table as a pandas frame."""
        return coefficient_frame(self.names, self._columns())

    def __repr__(self) -> str:
        head = [
            f"rows {self.n_rows:g}   parameters {self.dof:.4g}   noise sd {self.sigma2**0.5:.4g}",
            f"R² {self.r2:.4f}   adjusted {self.adjusted_r2:.4f}   "
            f"F {self.f_value:.4g} (p {self.f_p_value:.3g})",
            f"log-likelihood {self.log_likelihood:.2f}   AIC {self.aic:.2f}   BIC {self.bic:.2f}",
            "",
        ]
        return "\n".join(head + coefficient_lines(self.names, self._columns(), self.level))


def summarise(
    model: Any, X: Any, y: Any, sample_weight: Any = None, level: float = LEVEL
) -> RegressionSummary:
    """Summary of a fitted ``LinearRegression`` or ``Ridge`` on the rows it was fitted to.

    Parameters
    ----------
    model : LinearRegression or Ridge
        Fitted, with one target; its ``summary`` is the answer.
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
    if not hasattr(model, "summary"):
        raise check.fail("summarise", "model", "a LinearRegression or a Ridge", model)
    summary: RegressionSummary = model.summary(X, y, sample_weight, level)
    return summary
