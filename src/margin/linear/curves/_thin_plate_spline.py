"""Thin-plate spline."""

from typing import Any, Self, cast

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from margin.core import Card, Certificate, Solution, Status, atomic, available_if, check
from margin.core.types import Array, Floats
from margin.distributions import StudentT
from margin.linear.curves._curve_data import distinct_points
from margin.linear.curves._plate_basis import PlateBasis, PlateSpectrum, plate_kernel

_TOL = 1e-6


class ThinPlateSpline(RegressorMixin, BaseEstimator):
    r"""Interpolating or smoothing thin-plate spline in any dimension (linear.19).

    The function is :math:`f(x) = \sum_i a_i\,\phi(\|x - x_i\|) + b_0 + b^\top x` with
    :math:`\sum_i a_i = 0` and :math:`\sum_i a_i x_i = 0`, and minimises

    .. math:: \sum_i s_i (y_i - f(x_i))^2 + \alpha\, a^\top \Phi\, a ,

    whose last factor is the bending energy up to a constant. The kernel :math:`\phi` is
    :math:`r^3` on the line, :math:`r^2 \log r` in the plane, :math:`-r` in space and
    :math:`r^2 \log r` beyond; all are conditionally positive definite.

    Parameters
    ----------
    alpha : float or "gcv", default="gcv"
        Strength of the penalty, at least 0; 0 interpolates. ``"gcv"`` takes the minimiser of
        generalised cross-validation.

    Attributes
    ----------
    points_ : ndarray of shape (n_points, n_features)
        Distinct rows.
    dual_coef_ : ndarray of shape (n_points,)
        Coefficients :math:`a`.
    coef_ : ndarray of shape (n_features,)
        Coefficients :math:`b` of the affine part.
    intercept_ : float
        Constant :math:`b_0`.
    alpha_, dof_ : float
        Strength used and effective degrees of freedom.
    noise_variance_ : float or None
        Residual sum of squares over the degrees of freedom that are left; ``None`` if none are.
    bending_energy_ : float
        :math:`a^\top \Phi a`.
    fit_report_ : FitReport
        Objective, and how well :math:`\sum_i a_i (1, x_i) = 0` holds.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n^3)` operations and :math:`O(n^2)` memory for :math:`n` distinct rows.

    Examples
    --------
    >>> from margin.linear import ThinPlateSpline
    >>> X = [[0, 0], [0, 1], [1, 0], [1, 1], [0.5, 0.5]]
    >>> model = ThinPlateSpline(alpha=0.0).fit(X, [0, 1, 1, 2, 5])
    >>> model.predict([[0.5, 0.5], [1, 1]]).round(6)
    array([5., 2.])
    """

    card = Card(tasks=("regression",), cost="cubic", max_rows=3000)

    def __init__(self, *, alpha: Any = "gcv") -> None:
        self.alpha = alpha

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the surface.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self
        """
        if not (isinstance(self.alpha, str) and self.alpha == "gcv"):
            if isinstance(self.alpha, str):
                raise check.fail(self, "alpha", 'a number of at least 0 or "gcv"', self.alpha)
            check.params(self, nonnegative="alpha")
        X, y, weight = check.data(self, X, y, sample_weight)
        data = distinct_points(X.astype(np.float64), y, weight)
        basis = PlateBasis.of(data.points, data.weight)
        spectrum = PlateSpectrum.of(basis, data)
        alpha = spectrum.best_alpha() if self.alpha == "gcv" else float(self.alpha)
        dual, affine, dof = spectrum.solve(alpha)
        fitted = basis.kernel @ dual + basis.affine @ affine
        residual = float(data.weight @ (data.mean - fitted) ** 2) + data.ties
        freedom = float(data.weight.sum()) - dof

        self.alpha_, self.dof_, self.points_, self.dual_coef_ = alpha, dof, data.points, dual
        constant, slopes = basis.plane(affine)
        self.intercept_, self.coef_ = X.dtype.type(constant), slopes.astype(X.dtype)
        self.bending_energy_ = float(dual @ basis.kernel @ dual)
        self.noise_variance_ = residual / freedom if freedom > 0 else None
        self._weight, self._freedom = data.weight, freedom
        objective = residual + alpha * self.bending_energy_
        self.fit_report_ = check.report(self, _solution(basis.affine, dual, dof, objective))
        return self

    def predict(self, X: Any) -> Array:
        """Values of the surface."""
        X = check.table(self, X)
        bent = self.dual_coef_ != 0
        with np.errstate(over="ignore", invalid="ignore"):
            kernel = plate_kernel(X.astype(np.float64), self.points_[bent])
            curved = kernel @ self.dual_coef_[bent]
        if not np.isfinite(curved).all():
            need = "so near to the rows of the fit that the kernel of the distance is a number"
            raise check.fail(self, "X", need, float(np.abs(X).max()))
        return np.asarray(curved + X @ self.coef_ + self.intercept_, dtype=X.dtype)

    def _has_freedom(self) -> bool:
        freedom = getattr(self, "_freedom", np.inf)
        if not (freedom > 2 and getattr(self, "alpha_", 1.0) > 0):
            raise AttributeError(
                f"{type(self).__name__}: predict_dist needs more than 2 rows beyond the degrees of "
                f"freedom of the surface, got {freedom:.4g}, and a penalty above 0"
            )
        return True

    @available_if(_has_freedom)
    def predict_dist(self, X: Any) -> StudentT:
        r"""Law of a new target at each row, in the Bayesian view of the spline.

        The surface is the posterior mean of a process with the generalised covariance
        :math:`\tfrac{\sigma^2}\alpha \phi` under a flat prior of its affine part. With
        :math:`v(x)` its posterior variance over that of the noise and :math:`\nu = \sum_i s_i -
        \mathrm{dof}`,

        .. math:: \frac{y - f(x)}{\hat\sigma \sqrt{1 + v(x)}} \sim t_\nu, \qquad
                  \hat\sigma^2 = \mathrm{RSS} / \nu .

        A surface that interpolates, or leaves at most 2 degrees of freedom, does not have this
        method.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        margin.distributions.StudentT
            One for every row.

        Notes
        -----
        The rows are the model: :math:`O(n^3)` operations for :math:`n` distinct rows of the fit.
        """
        rows = check.table(self, X).astype(np.float64)
        basis = PlateBasis.of(self.points_, self._weight)
        unsure = basis.variance(rows, self.alpha_)
        noise = cast(float, self.noise_variance_)  # for there is freedom left
        variance = np.maximum(noise * (1.0 + unsure), np.finfo(np.float64).tiny)
        return StudentT(self._freedom, self.predict(X), np.sqrt(variance))


def _solution(functions: Floats, dual: Floats, dof: float, objective: float) -> Solution:
    """Objective, and how well the side conditions hold."""
    size = np.abs(functions).T @ np.abs(dual)
    off = np.abs(functions.T @ dual) / np.maximum(size, 1e-300)
    return Solution(
        x=np.empty(0),
        status=Status.CONVERGED,
        n_iter=1,
        objective=objective,
        certificate=Certificate("side conditions", float(off.max(initial=0.0)), _TOL),
        solver=f"saddle-point system, {dof:.4g} effective degrees of freedom",
    )
