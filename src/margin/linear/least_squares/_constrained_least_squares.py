"""Constrained and minimum-norm least squares."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from margin.core import Card, FitError, atomic, check
from margin.core.types import Array, Floats
from margin.linear.least_squares._constrained_problem import ConstrainedProblem
from margin.linear.regression._centred_rows import centred_rows
from margin.linear.regression._least_squares_fit import linear_values


class ConstrainedLeastSquares(RegressorMixin, BaseEstimator):
    r"""Least squares whose coefficients obey equations and bounds (linear.09).

    .. math:: \min_{w, b}\ \tfrac12 \sum_i s_i (y_i - x_i^\top w - b)^2
              \quad\text{subject to}\quad A w = c,\quad l \le w \le u .

    Where more than one ``w`` is best, as always with fewer rows than columns, the shortest is
    taken (without bounds; with bounds, one of them).

    Parameters
    ----------
    equality : tuple (A, c), optional
        Equations the coefficients satisfy, ``A`` of shape (n_equations, n_features) or
        (n_features,), ``c`` of shape (n_equations,) or a number.
    lower, upper : float or array-like of shape (n_features,), optional
        Bounds of the coefficients; infinite entries are no bounds.
    positive : bool, default=False
        Whether no coefficient may be negative.
    fit_intercept : bool, default=True
        Whether to fit :math:`b`, which is never constrained.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Coefficients :math:`w`.
    intercept_ : float
        Intercept :math:`b`.
    multipliers_ : ndarray of shape (n_equations,)
        Lagrange multipliers :math:`\nu` of the equations: the slope of the objective as ``c``
        moves is :math:`-\nu`.
    active_ : ndarray of bool of shape (n_features,)
        Coefficients that lie on a bound.
    fit_report_ : FitReport
        Objective and the residual of the Karush-Kuhn-Tucker conditions.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    Equations alone are eliminated by the null space of ``A``; bounds alone are an active-set
    search (:func:`scipy.optimize.lsq_linear`); both together are a few such searches by the method
    of multipliers.

    Examples
    --------
    Shares that add up to one:

    >>> from margin.linear import ConstrainedLeastSquares
    >>> X, y = [[1, 0], [0, 1], [1, 1]], [0.9, 0.3, 1.0]
    >>> model = ConstrainedLeastSquares(equality=([1, 1], 1), fit_intercept=False)
    >>> model.fit(X, y).coef_.round(6)
    array([0.8, 0.2])
    """

    card = Card(tasks=("regression",), cost="linear", search_space={"positive": [False, True]})

    def __init__(
        self,
        *,
        equality: Any = None,
        lower: Any = None,
        upper: Any = None,
        positive: bool = False,
        fit_intercept: bool = True,
    ) -> None:
        self.equality = equality
        self.lower = lower
        self.upper = upper
        self.positive = positive
        self.fit_intercept = fit_intercept

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the coefficients.

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
        check.params(self, flag="positive fit_intercept")
        X, y, weight = check.data(self, X, y, sample_weight)
        A, c = self._equations(X.shape[1])
        lower, upper = self._bounds(X.shape[1])
        data = centred_rows(X, y, weight, self.fit_intercept)
        problem = ConstrainedProblem(data.rows, data.target, A, c, lower, upper)
        try:
            solution = problem.solve()
        except FitError as error:
            raise FitError(f"{type(self).__name__}: {error}") from None
        coef, self.multipliers_ = solution.x, solution.extras["multipliers"]
        self.active_ = (coef <= lower) | (coef >= upper)
        self.coef_ = coef.astype(X.dtype)
        self.intercept_ = X.dtype.type(data.intercept(coef)) if self.fit_intercept else 0.0
        self.fit_report_ = check.report(self, solution)
        return self

    def _equations(self, p: int) -> tuple[Floats, Floats]:
        if self.equality is None:
            return np.empty((0, p)), np.empty(0)
        try:
            A, c = self.equality
            A = np.atleast_2d(np.asarray(A, dtype=np.float64))
            c = np.atleast_1d(np.asarray(c, dtype=np.float64))
            good = A.shape == (len(c), p) and c.ndim == 1
            good = good and bool(np.isfinite(A).all() and np.isfinite(c).all())
        except (TypeError, ValueError):
            good = False
        if not good:
            shapes = f"two finite arrays (A, c) of shapes (m, {p}) and (m,)"
            raise check.fail(self, "equality", shapes, self.equality)
        return A, c

    def _bounds(self, p: int) -> tuple[Floats, Floats]:
        bounds = []
        for name, free in (("lower", -np.inf), ("upper", np.inf)):
            value = free if getattr(self, name) is None else getattr(self, name)
            try:
                bound = np.array(np.broadcast_to(np.asarray(value, dtype=np.float64), (p,)))
            except (TypeError, ValueError):
                bound = np.full(p, np.nan)
            if np.isnan(bound).any() or (bound == -free).any():
                raise check.fail(self, name, f"a number or {p} numbers", value)
            bounds.append(bound)
        lower, upper = bounds
        if self.positive:
            lower = np.maximum(lower, 0.0)
        if (lower > upper).any():
            where = int(np.argmax(lower > upper))
            raise check.fail(self, "upper", f"at least {lower[where]}", float(upper[where]))
        return lower, upper

    def predict(self, X: Any) -> Array:
        """Predicted targets."""
        return linear_values(check.table(self, X, sparse=True), self.coef_, self.intercept_)
