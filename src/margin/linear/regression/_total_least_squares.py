"""Total least squares."""

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from margin.core import Card, Certificate, FitError, Solution, Status, atomic, check
from margin.linear.regression._centred_rows import centred_rows
from margin.linear.regression._least_squares_fit import predict_linear

_EPS = np.finfo(np.float64).eps
_TOL = 1e-7


class TotalLeastSquares(RegressorMixin, BaseEstimator):
    r"""Linear regression with noise in the features as well as the target (linear.08).

    With noise of standard deviation :math:`\tau` in every feature and :math:`\kappa\tau` in the
    target, the most likely hyperplane minimises the squared distances of the rows to it,

    .. math:: \sum_i s_i \frac{(y_i - x_i^\top w - b)^2}{\kappa^2 + \|w\|^2} .

    The normal :math:`(w, -1)` is the last right singular vector of the centred
    :math:`[X,\ y / \kappa]`; with :math:`\kappa = 1` it is the principal component of least
    variance. Least squares is the limit :math:`\kappa \to \infty`, and shrinks the slopes where
    features are noisy.

    Parameters
    ----------
    noise_ratio : float, default=1.0
        :math:`\kappa`, the noise of the target over the noise of a feature, as standard
        deviations. All features are taken to be equally noisy: divide each by its own noise
        first where they are not.
    fit_intercept : bool, default=True
        Whether to fit :math:`b`; without it the hyperplane goes through the origin.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Coefficients :math:`w`; the shortest among equals where columns depend on each other.
    intercept_ : float
        Intercept :math:`b`.
    noise_variance_ : float
        Most likely :math:`\tau^2` given the ratio, the mean squared distance to the hyperplane.
    rank_ : int
        Numerical rank of the centred design.
    fit_report_ : FitReport
        Half the sum above and the residual of the equations that hold at its minimum.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n p \min(n, p))` operations and one copy of ``X``. The answer depends on the units of
    the columns, as the assumption of equal noise does.

    Examples
    --------
    The line through four points that is nearest to them, not the one nearest vertically:

    >>> from margin.linear import TotalLeastSquares
    >>> model = TotalLeastSquares().fit([[0], [1], [2], [3]], [0, 2, 1, 3])
    >>> model.coef_.round(6), round(float(model.intercept_), 6)
    (array([1.]), 0.0)
    """

    card = Card(
        tasks=("regression",), cost="linear", search_space={"noise_ratio": (0.1, 1000.0, "log")}
    )

    def __init__(self, *, noise_ratio=1.0, fit_intercept=True):
        self.noise_ratio = noise_ratio
        self.fit_intercept = fit_intercept

    @atomic
    def fit(self, X, y, sample_weight=None):
        """Fit the hyperplane.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        check.params(self, positive="noise_ratio", flag="fit_intercept")
        X, y, weight = check.data(self, X, y, sample_weight)
        data = centred_rows(X, y, weight, self.fit_intercept)
        coef, plane = self._hyperplane(data.rows, data.target)
        self.coef_ = coef.astype(X.dtype)
        self.intercept_ = X.dtype.type(data.intercept(coef)) if self.fit_intercept else 0.0
        self.noise_variance_ = plane.distance**2 / data.total
        self.rank_ = plane.rank
        self.fit_report_ = check.report(self, plane.solution(self.noise_ratio))
        return self

    def _hyperplane(self, A, t):
        U, d, Vt = np.linalg.svd(A, full_matrices=False)
        rank = int(np.sum(d > max(A.shape) * _EPS * d[0])) if d[0] > 0 else 0
        plane = _Plane(d[:rank], U[:, :rank].T @ t, t - U[:, :rank] @ (U[:, :rank].T @ t))
        try:
            inner = plane.solve(self.noise_ratio)
        except FitError as error:
            raise FitError(f"{type(self).__name__}: {error}") from None
        return Vt[:rank].T @ inner, plane

    def predict(self, X):
        """Predicted targets: the point of the hyperplane above the row as it is."""
        return predict_linear(self, X)


class _Plane:
    """The problem in the coordinates of the design's singular vectors.

    ``[A, t]`` has the singular values of the small matrix ``[[diag(d), c], [0, rest]]``; columns
    that depend on each other are gone, so that only the shortest solution is left.
    """

    def __init__(self, d, along, across):
        self.d, self.along, self.rank = d, along, len(d)
        self.rest = float(np.linalg.norm(across))

    def solve(self, ratio):
        matrix = np.zeros((self.rank + 1, self.rank + 1))
        matrix[: self.rank, : self.rank] = np.diag(self.d)
        matrix[: self.rank, -1] = self.along / ratio
        matrix[-1, -1] = self.rest / ratio
        _, values, Vt = np.linalg.svd(matrix)
        self.distance, normal = float(values[-1]), Vt[-1]
        slack = 8 * _EPS * values[0]
        if self.rank and self.distance >= self.d[-1] - slack and self._meets_no_target(normal):
            raise FitError(
                "y must follow the features more closely than they follow each other, got a "
                "nearest hyperplane that does not depend on y; use LinearRegression, remove the "
                "feature of least spread, or raise noise_ratio if the features are less noisy"
            )
        self.coef = -ratio * normal[:-1] / normal[-1]
        return self.coef

    def _meets_no_target(self, normal):
        """Whether the target's part of the normal is nothing but rounding."""
        return abs(normal[-1]) <= 1e-12 * np.abs(normal).max()

    def solution(self, ratio):
        """Zero slope of the objective: (A'A - m I) w = A't with m the distance squared."""
        square = self.distance**2
        gradient = (self.d**2 - square) * self.coef - self.d * self.along
        terms = self.d**2 * np.abs(self.coef) + self.d * np.abs(self.along)
        residual = float(np.max(np.abs(gradient), initial=0.0)) / max(
            float(np.max(terms, initial=0.0)), np.finfo(float).tiny
        )
        done = residual <= _TOL
        return Solution(
            x=self.coef,
            status=Status.CONVERGED if done else Status.STALLED,
            n_iter=1,
            objective=0.5 * square,
            trace={"objective": np.array([0.5 * square])},
            certificate=Certificate("relative residual of the equations", residual, _TOL),
            solver="singular values",
            message=""
            if done
            else f"the equations of the hyperplane hold only to {residual:.2g}; scale the features",
        )
