"""Cubic smoothing spline."""

import numpy as np
from scipy.optimize import brentq, minimize_scalar
from sklearn.base import BaseEstimator, RegressorMixin

from margin.core import Card, Solution, Status, atomic, check
from margin.linear.curves._curve_data import curve_data, curve_points
from margin.native.series.spline import smoothing_spline

_SPAN = (-18.0, 12.0)  # decimal exponents of alpha in units of the data, from rough to straight


class SmoothingSpline(RegressorMixin, BaseEstimator):
    r"""Natural cubic smoothing spline with a knot at every distinct abscissa (linear.18).

    Minimises :math:`\sum_i s_i (y_i - f(x_i))^2 + \alpha \int f''(x)^2\,dx` over all smooth
    functions. The minimiser is a cubic between neighbouring abscissae and a straight line outside;
    :math:`\alpha \to 0` interpolates, :math:`\alpha \to \infty` is the least-squares line.

    Parameters
    ----------
    alpha : float, optional
        Strength of the penalty, above 0. Absent: by ``dof`` or generalised cross-validation,
        :math:`\min\ n\,\mathrm{RSS} / (n - \mathrm{dof})^2`.
    dof : float, optional
        Effective degrees of freedom wanted, the trace of the hat matrix, between 2 and the number
        of distinct abscissae. Give at most one of ``alpha`` and ``dof``.

    Attributes
    ----------
    knots_ : ndarray of shape (n_knots,)
        Distinct abscissae.
    values_, bends_ : ndarray of shape (n_knots,)
        Fitted values and second derivatives there.
    leverage_ : ndarray of shape (n_knots,)
        Diagonal of the hat matrix.
    alpha_, dof_, gcv_ : float
        Strength used, effective degrees of freedom and cross-validation score.
    fit_report_ : FitReport
        Penalised residual sum of squares.
    n_features_in_ : int
        Always 1.
    feature_names_in_ : ndarray of str
        Name of the feature, when ``X`` had one.

    Notes
    -----
    Linear time and memory after sorting: one banded solve per value of ``alpha``, with the hat
    matrix' diagonal from the same factors.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.linear import SmoothingSpline
    >>> x = np.arange(5.0)
    >>> model = SmoothingSpline(alpha=1e9).fit(x, [0.0, 1.1, 1.9, 3.2, 3.8])
    >>> model.predict([6.0]).round(3), round(model.dof_, 3)
    (array([5.88]), 2.0)
    """

    card = Card(tasks=("regression",), cost="linear", input="curve")

    def __init__(self, *, alpha=None, dof=None):
        self.alpha = alpha
        self.dof = dof

    @atomic
    def fit(self, X, y, sample_weight=None):
        """Fit the curve.

        Parameters
        ----------
        X : array-like of shape (n_samples,) or (n_samples, 1)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self
        """
        self._check_params()
        self.knots_, mean, weight, ties = curve_data(self, X, y, sample_weight)
        if self.dof is not None and not 2 < self.dof <= len(self.knots_):
            raise check.fail(self, "dof", f"above 2 and at most {len(self.knots_)} here", self.dof)
        curve = _Curve(self.knots_, mean, weight, ties)
        self.alpha_ = self._strength(curve)
        self.values_, self.bends_, self.leverage_ = curve.smooth(self.alpha_)
        self.dof_ = float(self.leverage_.sum())
        self.gcv_ = curve.gcv(self.alpha_)
        self.fit_report_ = check.report(self, self._solution(curve))
        return self

    def _check_params(self):
        if self.alpha is not None and self.dof is not None:
            raise check.fail(self, "dof", "None when alpha is given", self.dof)
        if self.alpha is not None:
            check.params(self, positive="alpha")
        if self.dof is not None:
            check.params(self, positive="dof")

    def _strength(self, curve):
        if self.alpha is not None:
            return float(self.alpha)
        if len(curve.knots) < 3:
            return curve.unit
        if self.dof is not None:
            excess = lambda t: curve.dof(curve.unit * 10.0**t) - self.dof  # noqa: E731
            if excess(_SPAN[0]) <= 0:
                return curve.unit * 10.0 ** _SPAN[0]
            return curve.unit * 10.0 ** brentq(excess, *_SPAN, xtol=1e-10)
        grid = np.linspace(*_SPAN, 31)
        best = int(np.argmin([curve.gcv(curve.unit * 10.0**t) for t in grid]))
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
        found = minimize_scalar(
            lambda t: curve.gcv(curve.unit * 10.0**t), bounds=(low, high), method="bounded"
        )
        return float(curve.unit * 10.0**found.x)

    def _solution(self, curve):
        rough = curve.roughness(self.values_, self.bends_)
        residual = curve.residual(self.values_)
        return Solution(
            x=np.empty(0),
            status=Status.CONVERGED,
            n_iter=1,
            objective=residual + self.alpha_ * rough,
            solver=f"banded solve, {self.dof_:.4g} effective degrees of freedom",
        )

    def predict(self, X):
        """Values of the curve, continued by straight lines outside the data."""
        x = curve_points(self, X)
        t, g, bend = self.knots_, self.values_, self.bends_
        if len(t) == 1:
            return np.full(len(x), g[0])
        i = np.clip(np.searchsorted(t, x) - 1, 0, len(t) - 2)
        h = t[i + 1] - t[i]
        inside = np.clip(x, t[0], t[-1])
        ahead, behind = t[i + 1] - inside, inside - t[i]
        found = (behind * g[i + 1] + ahead * g[i]) / h
        found -= behind * ahead / 6 * ((1 + behind / h) * bend[i + 1] + (1 + ahead / h) * bend[i])
        first = (g[1] - g[0]) / (t[1] - t[0]) - (t[1] - t[0]) * bend[1] / 6
        last = (g[-1] - g[-2]) / (t[-1] - t[-2]) + (t[-1] - t[-2]) * bend[-2] / 6
        return found + first * np.minimum(x - t[0], 0) + last * np.maximum(x - t[-1], 0)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        return tags


class _Curve:
    """Weighted means at distinct abscissae, smoothed at any strength."""

    def __init__(self, knots, mean, weight, ties):
        self.knots, self.mean, self.weight, self.ties = knots, mean, weight, ties
        self.gap = np.diff(knots)
        span = float(knots[-1] - knots[0]) or 1.0
        self.unit = float(weight.sum()) * span**3

    def smooth(self, alpha):
        if len(self.knots) < 3:
            return self.mean.copy(), np.zeros_like(self.mean), np.ones_like(self.mean)
        return smoothing_spline(self.gap, self.mean, self.weight, alpha)

    def dof(self, alpha):
        return float(self.smooth(alpha)[2].sum())

    def residual(self, values):
        return float(self.weight @ (self.mean - values) ** 2) + self.ties

    def roughness(self, values, bends):
        r"""Exact :math:`\int f''^2` of a piecewise linear second derivative."""
        a, b = bends[:-1], bends[1:]
        return float(self.gap @ (a * a + a * b + b * b)) / 3

    def gcv(self, alpha):
        values, _, leverage = self.smooth(alpha)
        n = float(self.weight.sum())
        slack = max(n - float(leverage.sum()), 1e-9 * n)
        return n * self.residual(values) / slack**2
