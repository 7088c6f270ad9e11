"""Regression discontinuity: a jump at a cutoff."""

from collections.abc import Callable, Hashable, Mapping
from typing import Any, Self

import numpy as np
from scipy.stats import binomtest
from sklearn.base import BaseEstimator

from margin.causal.effects._summary import EffectSummary
from margin.causal.methods._intervals import Errors, analytic, confidence, is_between
from margin.causal.methods._scores import Scores
from margin.causal.tables._columns import numbers
from margin.causal.tables._rows import cluster_codes, weighed_rows
from margin.core import atomic, check
from margin.core.types import Floats, Indices

KERNELS: Mapping[str, Callable[[Floats], Floats]] = {
    "triangular": lambda u: np.maximum(1 - np.abs(u), 0.0),
    "uniform": lambda u: np.asarray(np.abs(u) <= 1, dtype=np.float64),
    "epanechnikov": lambda u: np.maximum(1 - u**2, 0.0),
}


class RegressionDiscontinuity(BaseEstimator):
    r"""Effect at a cutoff of a running variable.

    .. math:: \tau = \lim_{x \downarrow c} E[Y \mid x] - \lim_{x \uparrow c} E[Y \mid x]

    by local lines on both sides. The interval is that of the local parabola, whose bias is of
    smaller order: for equal bandwidths it is the robust bias-corrected one. If the cutoff only
    changes the chance of treatment (fuzzy), the jump of the outcome is divided by that of the
    treatment.

    Parameters
    ----------
    running, outcome : names
    cutoff : float, default=0.0
    treatment : name, optional
        Of a fuzzy design.
    bandwidth : float, optional
        That of least expected squared error by default (Imbens and Kalyanaraman).
    kernel : {"triangular", "uniform", "epanechnikov"}, default="triangular"
    level : float, default=0.95

    Attributes
    ----------
    effect_ : float
        Jump of the local lines.
    std_error_ : float
        Of the bias-corrected estimate.
    interval_ : ndarray of shape (2,)
        Robust, around the bias-corrected estimate.
    corrected_effect_ : float
        Jump of the local parabolas.
    bandwidth_ : float
    density_p_value_ : float
        Test that as many rows lie just below as above the cutoff: a small value tells of people
        who chose their side.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = rng.uniform(-1, 1, 2000)
    >>> frame = {"x": x, "y": x + x**2 + 0.5 * (x >= 0) + rng.normal(0, 0.1, 2000)}
    >>> round(RegressionDiscontinuity("x", "y").fit(frame).effect_, 1)
    0.5
    """

    def __init__(
        self, running: Hashable = None, outcome: Hashable = None, *, cutoff: float = 0.0,
        treatment: Hashable = None, bandwidth: float | None = None, kernel: str = "triangular",
        level: float = 0.95,
    ) -> None:  # fmt: skip
        self.running = running
        self.outcome = outcome
        self.cutoff = cutoff
        self.treatment = treatment
        self.bandwidth = bandwidth
        self.kernel = kernel
        self.level = level

    @atomic
    def fit(
        self, frame: Any, y: Any = None, sample_weight: Any = None, clusters: Any = None
    ) -> Self:
        """Estimate the jump from a frame.

        Parameters
        ----------
        frame : data frame or mapping of names to columns
        y : ignored
        sample_weight : array-like of shape (n,), optional
            Of the local fits; the bandwidth is that of the rows.
        clusters : name or array-like of shape (n,), optional
            Rows whose errors are common.

        Returns
        -------
        self
        """
        check.params(self, one_of={"kernel": tuple(KERNELS)})
        level = confidence(self, self.level)
        if not is_between(self.cutoff, -np.inf, np.inf):
            raise check.fail(self, "cutoff", "a number", self.cutoff)
        if self.bandwidth is not None:
            check.params(self, positive="bandwidth")
        named = [n for n in (self.running, self.outcome, self.treatment) if n is not None]
        if self.running is None or self.outcome is None or len(set(named)) < len(named):
            raise check.fail(self, "running and outcome", "columns that differ", named)
        rows = weighed_rows(self, frame, named, sample_weight)
        groups = cluster_codes(self, frame, clusters, rows.used)
        frame = rows.columns
        x = numbers(self, frame, self.running) - self.cutoff
        values = numbers(self, frame, self.outcome)
        if min((x >= 0).sum(), (x < 0).sum()) < 10:
            raise check.fail(self, "cutoff", "with ten rows on either side", self.cutoff)
        h = best_bandwidth(x, values) if self.bandwidth is None else float(self.bandwidth)
        weight = KERNELS[self.kernel](x / h) * rows.shares
        line, corrected = (self._jump(x, values, weight, order) for order in (1, 2))
        if self.treatment is not None:
            t = numbers(self, frame, self.treatment)
            line = self._ratio(line, self._jump(x, t, weight, 1))
            corrected = self._ratio(corrected, self._jump(x, t, weight, 2))
        errors = self._errors(corrected, level, groups)
        self.effect_, self.corrected_effect_ = line[0], corrected[0]
        self.std_error_ = float(errors.std_error[0])
        self.interval_ = errors.interval[0]
        self.bandwidth_, self.n_rows_ = h, int((weight > 0).sum())
        below, above = int(((x < 0) & (x > -h / 4)).sum()), int(((x >= 0) & (x < h / 4)).sum())
        self.density_p_value_ = (
            float(binomtest(above, above + below).pvalue) if above + below else 1.0
        )
        return self

    def _errors(
        self, corrected: tuple[float, Floats], level: float, groups: Indices | None
    ) -> Errors:
        scores = Scores(("jump",), np.array([corrected[0]]), corrected[1][:, None])
        return analytic(scores, np.ones(len(corrected[1])), level, groups)

    def _jump(self, x: Floats, y: Floats, weight: Floats, order: int) -> tuple[float, Floats]:
        """Difference of the two local fits at the cutoff, and the influence of every row."""
        n, value, influence = len(x), 0.0, np.zeros(len(x))
        for sign, side in ((1.0, x >= 0), (-1.0, x < 0)):
            w = weight * side
            if (w > 0).sum() <= order + 1 or len(np.unique(x[w > 0])) <= order + 1:
                raise check.fail(
                    self, "bandwidth", "wide enough for a fit on either side", self.bandwidth
                )
            scale = np.abs(x[w > 0]).max()
            D = np.power.outer(x / scale, np.arange(order + 1))
            gram = (D * w[:, None]).T @ D
            coef = np.linalg.solve(gram, D.T @ (w * y))
            pull = D @ np.linalg.inv(gram)[:, 0] * w
            leverage = np.minimum(pull * (side * 1.0), 0.99)
            # Errors as if each row had been left out: few rows fit themselves too well.
            influence += sign * n * pull * (y - D @ coef) / (1 - np.abs(leverage) * (w > 0))
            value += sign * float(coef[0])
        return value, influence

    def _ratio(
        self, top: tuple[float, Floats], bottom: tuple[float, Floats]
    ) -> tuple[float, Floats]:
        if abs(bottom[0]) < 1e-8:
            raise check.fail(self, "treatment", "with a jump at the cutoff", bottom[0])
        value = top[0] / bottom[0]
        return value, (top[1] - value * bottom[1]) / bottom[0]

    def summary(self) -> EffectSummary:
        """The jump with its error."""
        return EffectSummary(
            "regression discontinuity", ("jump",), np.array([self.effect_]),
            np.array([self.std_error_]), self.interval_[None], self.level, self.n_rows_,
            {"bandwidth": f"{self.bandwidth_:.4g}", "density p": f"{self.density_p_value_:.3f}"},
        )  # fmt: skip


def best_bandwidth(x: Floats, y: Floats) -> float:
    r"""Bandwidth of least expected squared error at the cutoff (Imbens and Kalyanaraman, 2012).

    .. math:: h = 3.4375 \Bigl(\frac{\sigma_+^2 + \sigma_-^2}
        {f\, ((m_+'' - m_-'')^2 + r)}\Bigr)^{1/5} n^{-1/5}

    with density :math:`f`, noise :math:`\sigma^2` and second derivatives :math:`m''` at the cutoff
    and a term :math:`r` that keeps flat functions from asking for an infinite bandwidth.
    """
    n, up = len(x), x >= 0
    pilot = 1.84 * x.std() * n ** (-0.2)
    near = np.abs(x) <= pilot
    f = max(float(near.sum()) / (2 * n * pilot), 1e-12)
    noise = [
        float(np.var(y[near & s])) if (near & s).sum() > 1 else float(np.var(y[s]))
        for s in (up, ~up)
    ]
    D = np.column_stack([np.ones(n), up * 1.0, x, x**2, x**3])
    third = 6 * float(np.linalg.lstsq(D, y, rcond=None)[0][4])
    second, penalty = [], 0.0
    for side, variance in zip((up, ~up), noise, strict=True):
        size = int(side.sum())
        wide = 3.56 * (variance / (f * max(third**2, 0.01 * variance / x.std() ** 6))) ** (1 / 7)
        wide *= size ** (-1 / 7)
        use = side & (np.abs(x) <= wide)
        if use.sum() < 10:
            use = side
        part = np.power.outer(x[use], np.arange(3))
        second.append(2 * float(np.linalg.lstsq(part, y[use], rcond=None)[0][2]))
        spread = max(np.var(x[use]), 1e-300)
        penalty += 2160 * variance / (use.sum() * (3.5 * spread) ** 2 * 20)
    scale = sum(noise) / (f * ((second[0] - second[1]) ** 2 + penalty))
    h = 3.4375 * max(scale, 1e-300) ** 0.2 * n ** (-0.2)
    return float(np.clip(h, 2 * np.sort(np.abs(x))[min(20, n - 1)], np.abs(x).max()))
