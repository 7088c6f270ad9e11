"""Cubic smoothing spline."""

from typing import Any, Self, cast

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from margin.core import Card, Solution, Status, atomic, available_if, check
from margin.core.types import Floats
from margin.distributions import StudentT
from margin.linear.curves._curve_data import (
    DistinctPoints,
    as_column,
    distinct_points,
    single_column,
)
from margin.linear.curves._spline_curve import (
    SplineCurve,
    smooth,
    strength_by_dof,
    strength_by_gcv,
)
from margin.linear.curves._spline_posterior import spline_variance

_LEAST_SPAN = 1e-95  # cubes of the gaps between knots must not vanish


class SmoothingSpline(RegressorMixin, BaseEstimator):
    r"""Natural cubic smoothing spline with a knot at every distinct abscissa (linear.18).

    Minimises :math:`\sum_i s_i (y_i - f(x_i))^2 + \alpha \int f''(x)^2\,dx` over all smooth
    functions. The minimiser is a cubic between neighbouring abscissae and a straight line outside;
    :math:`\alpha \to 0` interpolates, :math:`\alpha \to \infty` is the least-squares line.

    Parameters
    ----------
    alpha : float, optional
        Strength of the penalty, above 0. Absent: by ``dof`` or generalised cross-validation,
        :math:`\min\ n\,\mathrm{RSS} / (n - \mathrm{dof})^2`, where a curve that leaves less than a
        quarter of the rows free must beat the others by more than luck: noise alone often makes
        the score of interpolation the least.
    dof : float, optional
        Effective degrees of freedom wanted, the trace of the hat matrix, between 2 and the number
        of distinct abscissae. Give at most one of ``alpha`` and ``dof``.

    Attributes
    ----------
    knots_ : ndarray of shape (n_knots,)
        Distinct abscissae; groups that are one point beside the gaps around them are one knot.
    values_, bends_ : ndarray of shape (n_knots,)
        Fitted values and second derivatives there.
    leverage_ : ndarray of shape (n_knots,)
        Diagonal of the hat matrix.
    alpha_, dof_, gcv_ : float
        Strength used, effective degrees of freedom and cross-validation score.
    noise_variance_ : float or None
        Residual sum of squares over the degrees of freedom that are left; ``None`` if none are.
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

    def __init__(self, *, alpha: float | None = None, dof: float | None = None) -> None:
        self.alpha = alpha
        self.dof = dof

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
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
        X, y, weight = check.data(self, as_column(X), y, sample_weight)
        data = distinct_points(single_column(type(self).__name__, X), y, weight)
        span = float(np.ptp(X))
        if 0 < span < _LEAST_SPAN:
            raise check.fail(
                self, "X", f"spread over {_LEAST_SPAN:g} at least, scaled if need be", span
            )
        curve = smooth(data, self._strength(data))
        residual, freedom = curve.residual(), float(data.weight.sum()) - curve.dof

        self.knots_, self.values_, self.bends_ = curve.knots, curve.values, curve.bends
        self.leverage_, self.dof_, self.alpha_ = curve.leverage, curve.dof, curve.alpha
        self.gcv_ = curve.gcv()
        self.noise_variance_ = residual / freedom if freedom > 0 else None
        self._weight, self._freedom = curve.weight, freedom
        solution = Solution(
            x=np.empty(0),
            status=Status.CONVERGED,
            n_iter=1,
            objective=residual + curve.alpha * curve.roughness(),
            solver=f"banded solve, {curve.dof:.4g} effective degrees of freedom",
        )
        self.fit_report_ = check.report(self, solution)
        return self

    def _check_params(self) -> None:
        if self.alpha is not None and self.dof is not None:
            raise check.fail(self, "dof", "None when alpha is given", self.dof)
        if self.alpha is not None:
            check.params(self, positive="alpha")
        if self.dof is not None:
            check.params(self, positive="dof")

    def _strength(self, data: DistinctPoints) -> float:
        if self.alpha is not None:
            return float(self.alpha)
        if self.dof is None:
            return strength_by_gcv(data)
        if not 2 < self.dof <= len(data.points):
            raise check.fail(self, "dof", f"above 2 and at most {len(data.points)} here", self.dof)
        return strength_by_dof(data, self.dof)

    def _points(self, X: Any) -> Floats:
        return single_column(type(self).__name__, check.table(self, as_column(X)))

    def predict(self, X: Any) -> Floats:
        """Values of the curve, continued by straight lines outside the data."""
        x = self._points(X)
        curve = SplineCurve(self.knots_, self.values_, self.bends_, self.leverage_, self.alpha_)
        return curve.at(x)

    def _has_freedom(self) -> bool:
        freedom = getattr(self, "_freedom", np.inf)
        if not freedom > 2:
            raise AttributeError(
                f"{type(self).__name__}: predict_dist needs more than 2 rows beyond the degrees of "
                f"freedom of the curve, got {freedom:.4g}"
            )
        return True

    @available_if(_has_freedom)
    def predict_dist(self, X: Any) -> StudentT:
        r"""Law of a new target at each abscissa, in the Bayesian view of the spline.

        The curve is the posterior mean under a flat prior of straight lines plus an integrated
        Wiener process, :math:`f''` white noise of intensity :math:`\sigma^2 / \alpha`. With
        :math:`v(x)` its posterior variance over that of the noise (at a knot the leverage over the
        weight) and :math:`\nu = \sum_i s_i - \mathrm{dof}`,

        .. math:: \frac{y - f(x)}{\hat\sigma \sqrt{1 + v(x)}} \sim t_\nu, \qquad
                  \hat\sigma^2 = \mathrm{RSS} / \nu .

        A curve that leaves at most 2 degrees of freedom does not have this method.

        Parameters
        ----------
        X : array-like of shape (n_samples,) or (n_samples, 1)

        Returns
        -------
        margin.distributions.StudentT
            One for every row.
        """
        x = self._points(X)
        unsure = np.zeros(len(x))
        if len(self.knots_) > 1:
            unsure = spline_variance(x, self.knots_, self._weight, self.alpha_)
        else:
            unsure += 1.0 / self._weight[0]
        noise = cast(float, self.noise_variance_)  # for there is freedom left
        variance = np.maximum(noise * (1.0 + unsure), np.finfo(np.float64).tiny)
        return StudentT(self._freedom, self.predict(X), np.sqrt(variance))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.one_d_array = True
        tags.input_tags.two_d_array = False
        return tags
