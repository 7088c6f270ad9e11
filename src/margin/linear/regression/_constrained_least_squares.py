"""Constrained and minimum-norm least squares."""

import numpy as np
from scipy import linalg, optimize
from sklearn.base import BaseEstimator, RegressorMixin

from margin.core import Card, Certificate, FitError, Solution, Status, atomic, check
from margin.linear.regression._centred_rows import centred_rows
from margin.linear.regression._least_squares_fit import predict_linear

_TOL = 1e-7
_FEASIBLE = 1e-9
_WEIGHT = 1e4  # of the equations against the rows, both of unit size
_MAX_ROUNDS = 100


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
        self, *, equality=None, lower=None, upper=None, positive=False, fit_intercept=True
    ):
        self.equality = equality
        self.lower = lower
        self.upper = upper
        self.positive = positive
        self.fit_intercept = fit_intercept

    @atomic
    def fit(self, X, y, sample_weight=None):
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
        problem = _Constrained(data.rows, data.target, A, c, lower, upper)
        try:
            coef, self.multipliers_ = problem.solve()
        except FitError as error:
            raise FitError(f"{type(self).__name__}: {error}") from None
        self.active_ = (coef <= lower) | (coef >= upper)
        self.coef_ = coef.astype(X.dtype)
        self.intercept_ = X.dtype.type(data.intercept(coef)) if self.fit_intercept else 0.0
        self.fit_report_ = check.report(self, problem.solution(coef, self.multipliers_))
        return self

    def _equations(self, p):
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

    def _bounds(self, p):
        found = []
        for name, free in (("lower", -np.inf), ("upper", np.inf)):
            value = free if getattr(self, name) is None else getattr(self, name)
            try:
                bound = np.array(np.broadcast_to(np.asarray(value, dtype=np.float64), (p,)))
            except (TypeError, ValueError):
                bound = np.full(p, np.nan)
            if np.isnan(bound).any() or (bound == -free).any():
                raise check.fail(self, name, f"a number or {p} numbers", value)
            found.append(bound)
        lower, upper = found
        if self.positive:
            lower = np.maximum(lower, 0.0)
        if (lower > upper).any():
            where = int(np.argmax(lower > upper))
            raise check.fail(self, "upper", f"at least {lower[where]}", float(upper[where]))
        return lower, upper

    def predict(self, X):
        """Predicted targets."""
        return predict_linear(self, X)


class _Constrained:
    """Rows ``C``, target ``t``, equations ``A w = c`` and bounds."""

    def __init__(self, C, t, A, c, lower, upper):
        self.C, self.t, self.A, self.c = C, t, A, c
        self.lower, self.upper = lower, upper
        self.bounded = bool(np.isfinite(lower).any() or np.isfinite(upper).any())

    def solve(self):
        """Coefficients and multipliers of the equations."""
        self._feasible()
        if not self.bounded:
            coef = self._null_space()
            slope = self.C.T @ (self.C @ coef - self.t)
            return coef, np.linalg.lstsq(self.A.T, -slope, rcond=None)[0]
        return self._bounded()

    def _feasible(self):
        if not len(self.A):
            return
        nearest = np.linalg.lstsq(self.A, self.c, rcond=None)[0]
        gap = np.abs(self.A @ nearest - self.c).max()
        if gap > _FEASIBLE * (np.abs(self.c).max() + np.abs(self.A).max()):
            raise FitError("equality must be satisfiable, got equations that contradict each other")
        if self.bounded:
            bounds = np.column_stack([self.lower, self.upper])
            zero = np.zeros(len(self.lower))
            if optimize.linprog(zero, A_eq=self.A, b_eq=self.c, bounds=bounds).status == 2:
                raise FitError("equality must be satisfiable within the bounds, got none such")

    def _null_space(self):
        """Shortest solution of the equations, plus the best shortest move along them."""
        if not len(self.A):
            return np.linalg.lstsq(self.C, self.t, rcond=None)[0]
        start = np.linalg.lstsq(self.A, self.c, rcond=None)[0]
        free = linalg.null_space(self.A)
        if not free.shape[1]:
            return start
        rest = self.t - self.C @ start
        return start + free @ np.linalg.lstsq(self.C @ free, rest, rcond=None)[0]

    def _bounded(self):
        """Method of multipliers around the active-set search, in columns of unit norm."""
        norms = np.linalg.norm(self.C, axis=0)
        norms = np.where(norms > 0, norms, 1.0)
        fixed = self.lower == self.upper
        coef = np.where(fixed, self.lower, 0.0)
        if fixed.all():
            return coef, np.zeros(len(self.A))
        M = (self.C / norms)[:, ~fixed]
        Q, R = np.linalg.qr(M)
        side = Q.T @ (self.t - self.C @ coef)
        E, e = (self.A / norms)[:, ~fixed], self.c - self.A @ coef
        size = np.linalg.norm(E, axis=1)
        size = np.where(size > 0, size, 1.0)
        E, e = E / size[:, None], e / size
        bounds = (self.lower * norms)[~fixed], (self.upper * norms)[~fixed]
        heavy, shift = np.sqrt(_WEIGHT), np.zeros(len(e))
        for _ in range(_MAX_ROUNDS if len(e) else 1):
            rows, goal = np.vstack([R, heavy * E]), np.append(side, heavy * (e - shift))
            found = optimize.lsq_linear(
                rows, goal, bounds, method="bvls", tol=1e-15, max_iter=20 * len(bounds[0]) + 100
            ).x
            gap = E @ found - e
            shift = shift + gap
            if np.abs(gap).max(initial=0.0) <= 1e-13 * (1.0 + np.abs(found).max()):
                break
        inner = np.clip(found / norms[~fixed], self.lower[~fixed], self.upper[~fixed])
        coef[~fixed] = np.where(
            found <= bounds[0],
            self.lower[~fixed],
            np.where(found >= bounds[1], self.upper[~fixed], inner),
        )
        return coef, _WEIGHT * shift / size

    def residual(self, coef, multipliers):
        """Largest breach of stationarity, of sign at a bound, or of an equation, as a share."""
        error = self.C @ coef - self.t
        slope = self.C.T @ error + self.A.T @ multipliers
        slope = np.where(coef <= self.lower, np.minimum(slope, 0.0), slope)
        slope = np.where(coef >= self.upper, np.maximum(slope, 0.0), slope)
        slope = np.where(self.lower == self.upper, 0.0, slope)
        size = np.linalg.norm(self.C, axis=0) * np.linalg.norm(self.t)
        size = size + np.abs(self.A.T) @ np.abs(multipliers)
        breach = np.abs(slope) / np.where(size > 0, size, 1.0)
        terms = np.abs(self.A) @ np.abs(coef) + np.abs(self.c)
        gap = np.abs(self.A @ coef - self.c) / np.where(terms > 0, terms, 1.0)
        return float(max(breach.max(initial=0.0), gap.max(initial=0.0)))

    def solution(self, coef, multipliers):
        value = 0.5 * float(np.sum((self.C @ coef - self.t) ** 2))
        breach = self.residual(coef, multipliers)
        done = breach <= _TOL
        return Solution(
            x=coef,
            status=Status.CONVERGED if done else Status.STALLED,
            n_iter=1,
            objective=value,
            trace={"objective": np.array([value])},
            certificate=Certificate("residual of the optimality conditions", breach, _TOL),
            solver="active set" if self.bounded else "null space",
            message=""
            if done
            else f"the optimality conditions hold only to {breach:.2g}; scale the features",
        )
