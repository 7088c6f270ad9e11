"""Total least squares."""

from typing import Any, Self

from sklearn.base import BaseEstimator, RegressorMixin

from margin.core import Card, FitError, atomic, check
from margin.core.types import Array
from margin.linear.least_squares._nearest_plane import nearest_plane
from margin.linear.regression._centred_rows import centred_rows
from margin.linear.regression._least_squares_fit import linear_values


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

    def __init__(self, *, noise_ratio: float = 1.0, fit_intercept: bool = True) -> None:
        self.noise_ratio = noise_ratio
        self.fit_intercept = fit_intercept

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
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
        try:
            plane = nearest_plane(data.rows, data.target, self.noise_ratio)
        except FitError as error:
            raise FitError(f"{type(self).__name__}: {error}") from None
        self.coef_ = plane.coef.astype(X.dtype)
        self.intercept_ = X.dtype.type(data.intercept(plane.coef)) if self.fit_intercept else 0.0
        self.noise_variance_ = plane.distance**2 / data.total
        self.rank_ = plane.rank
        self.fit_report_ = check.report(self, plane.solution)
        return self

    def predict(self, X: Any) -> Array:
        """Predicted targets: the point of the hyperplane above the row as it is."""
        return linear_values(check.table(self, X, sparse=True), self.coef_, self.intercept_)
