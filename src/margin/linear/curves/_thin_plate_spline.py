"""Thin-plate spline."""

import numpy as np
from scipy.linalg import eigh, qr, solve_triangular
from scipy.optimize import minimize_scalar
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, RegressorMixin

from margin.core import Card, Certificate, Solution, Status, atomic, check
from margin.linear.curves._curve_data import distinct_points

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

    def __init__(self, *, alpha="gcv"):
        self.alpha = alpha

    @atomic
    def fit(self, X, y, sample_weight=None):
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
        points, mean, total, ties = distinct_points(X.astype(np.float64), y, weight)
        surface = _Surface(points, mean, total, ties)
        self.alpha_ = surface.best_alpha() if self.alpha == "gcv" else float(self.alpha)
        dual, affine, self.dof_ = surface.solve(self.alpha_)
        self.points_, self.dual_coef_ = points, dual
        self.intercept_, self.coef_ = X.dtype.type(affine[0]), affine[1:].astype(X.dtype)
        self.bending_energy_ = float(dual @ surface.kernel @ dual)
        self.fit_report_ = check.report(self, self._solution(surface, affine))
        return self

    def _solution(self, surface, affine):
        fitted = surface.kernel @ self.dual_coef_ + surface.affine @ affine
        residual = float(surface.weight @ (surface.mean - fitted) ** 2) + surface.ties
        size = np.abs(surface.affine).T @ np.abs(self.dual_coef_)
        off = np.abs(surface.affine.T @ self.dual_coef_) / np.maximum(size, 1e-300)
        return Solution(
            x=np.empty(0),
            status=Status.CONVERGED,
            n_iter=1,
            objective=residual + self.alpha_ * self.bending_energy_,
            certificate=Certificate("side conditions", float(off.max(initial=0.0)), _TOL),
            solver=f"saddle-point system, {self.dof_:.4g} effective degrees of freedom",
        )

    def predict(self, X):
        """Values of the surface."""
        X = check.table(self, X)
        curved = _kernel(X.astype(np.float64), self.points_) @ self.dual_coef_
        return (curved + X @ self.coef_ + self.intercept_).astype(X.dtype)


class _Surface:
    """The spline problem reduced to the space in which the side conditions hold."""

    def __init__(self, points, mean, weight, ties):
        self.mean, self.weight, self.ties = mean, weight, ties
        self.kernel = _kernel(points, points)
        self.affine = np.column_stack([np.ones(len(points)), points])
        # In units of the root weights the penalised problem is an ordinary one.
        self.root = np.sqrt(weight)
        basis, triangle, order = qr(self.root[:, None] * self.affine, pivoting=True)
        size = np.abs(triangle.diagonal())
        rank = int(np.sum(size > 1e-10 * size.max(initial=0.0)))
        self.span, self.free = basis[:, :rank], basis[:, rank:]
        self.triangle, self.order = triangle[:rank, :rank], order[:rank]
        inner = self.free.T @ (self.kernel * np.outer(self.root, self.root)) @ self.free
        self.values, self.vectors = eigh(inner)
        self.values = np.maximum(self.values, 0.0)
        self.seen = self.vectors.T @ (self.free.T @ (self.root * mean))

    def best_alpha(self):
        if not self.values.size or self.values[-1] == 0:
            return 0.0
        grid = np.linspace(-12, 4, 33)
        scores = [self._gcv(self.values[-1] * 10.0**t) for t in grid]
        best = int(np.argmin(scores))
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]
        found = minimize_scalar(
            lambda t: self._gcv(self.values[-1] * 10.0**t), bounds=(low, high), method="bounded"
        )
        return float(self.values[-1] * 10.0**found.x)

    def _gcv(self, alpha):
        n = float(self.weight.sum())
        kept = alpha / (self.values + alpha)
        slack = float(kept.sum()) + n - len(self.mean)
        return n * (float(np.sum((kept * self.seen) ** 2)) + self.ties) / max(slack, 1e-9 * n) ** 2

    def solve(self, alpha):
        """Coefficients of the kernels and of the affine part, and degrees of freedom."""
        floor = 1e-13 * self.values.max(initial=0.0)
        total = self.values + alpha
        share = np.where(total > floor, 1.0 / np.where(total > floor, total, 1.0), 0.0)
        scaled = self.free @ (self.vectors @ (share * self.seen))
        dual = self.root * scaled
        rest = self.span.T @ (self.root * (self.mean - self.kernel @ dual) - alpha * scaled)
        affine = np.zeros(self.affine.shape[1])
        affine[self.order] = solve_triangular(self.triangle, rest)
        dof = self.span.shape[1] + float(np.sum(self.values * share))
        return dual, affine, dof


def _kernel(A, B):
    """Kernel of the distances, by dimension."""
    r = cdist(A, B)
    d = A.shape[1]
    if d == 1:
        return r**3
    if d == 3:
        return -r
    return r**2 * np.log(np.where(r > 0, r, 1.0))
