"""Lasso by its exact path."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from margin import losses, optim, penalties
from margin.core import Card, Certificate, Solution, Status, atomic, check
from margin.core.types import Array, Floats
from margin.linear.sparse._accepted import check_precompute

_TOL = 1e-6


class LassoLars(RegressorMixin, BaseEstimator):
    r"""Lasso fitted by following its piecewise linear path exactly (linear.14).

    With :math:`S = \sum_i s_i`, minimises

    .. math:: \frac1{2S} \sum_i s_i (y_i - x_i^\top w - b)^2 + \alpha \|w\|_1

    by the homotopy method: from the strength at which the first feature enters, breakpoint by
    breakpoint, down to ``alpha``. The whole path is kept.

    Parameters
    ----------
    alpha : float, default=1.0
        Strength of the penalty, at least 0; the intercept is not penalised.
    fit_intercept : bool, default=True
        Whether to fit :math:`b`.
    precompute : bool, "auto" or array-like of shape (n_features, n_features), default="auto"
        Without effect: products of the columns are computed where the path needs them.
    copy_X : bool, default=True
        Without effect: the data are never changed.
    max_iter : int, default=500
        Most segments of the path.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Coefficients :math:`w` at ``alpha``.
    intercept_ : float
        Intercept :math:`b`.
    alphas_ : ndarray of shape (n_breakpoints,)
        Strengths at the breakpoints, decreasing, the last one ``alpha``.
    coef_path_ : ndarray of shape (n_features, n_breakpoints)
        Coefficients there; linear in between.
    active_ : list of int
        Features in the model at the end, in order of entry.
    n_iter_ : int
        Segments of the path.
    fit_report_ : FitReport
        The largest violation of an optimality condition at the solution.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(np)` per segment; a path has about as many segments as features that enter, and more
    where features leave. Of features that are linear combinations of others, only as many enter
    as are independent.

    Examples
    --------
    >>> from margin.linear import LassoLars
    >>> model = LassoLars(alpha=0.5).fit([[-1, 0], [1, 0], [0, -1], [0, 1]], [-3, 3, -1, 1])
    >>> model.coef_, model.alphas_
    (array([2., 0.]), array([1.5, 0.5]))
    """

    card = Card(tasks=("regression",), cost="linear", search_space={"alpha": (1e-4, 10.0, "log")})

    def __init__(
        self,
        alpha: float = 1.0,
        *,
        fit_intercept: bool = True,
        precompute: Any = "auto",
        max_iter: int = 500,
        copy_X: bool = True,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.precompute = precompute
        self.copy_X = copy_X
        self.max_iter = max_iter

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the path.

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
        check.params(self, nonnegative="alpha", count="max_iter", flag="fit_intercept copy_X")
        X, y, weight = check.data(self, X, y, sample_weight)
        check_precompute(self, self.precompute, X.shape[1], auto=True)
        shares = np.full(len(y), 1.0 / len(y)) if weight is None else weight / weight.sum()
        root = np.sqrt(len(y) * shares)[:, None]
        table, target, x_mean, y_mean = _centred(X, y, shares, self.fit_intercept)
        path = optim.lars_path(
            root * table, root[:, 0] * target, alpha_min=self.alpha, max_iter=self.max_iter
        )
        coef = path.at(self.alpha)
        intercept = [y_mean - x_mean @ coef] if self.fit_intercept else []
        problem = optim.LinearProblem(
            X,
            y,
            shares,
            losses.Squared(),
            penalties.L1(float(self.alpha)),
            intercept=self.fit_intercept,
        )
        solution = _judged(problem, np.append(coef, intercept), path, self.alpha, self.max_iter)

        self.coef_ = coef.astype(X.dtype)
        self.intercept_ = X.dtype.type(intercept[0]) if self.fit_intercept else 0.0
        self.alphas_, self.coef_path_ = path.alphas, path.coefs.astype(X.dtype)
        self.active_ = list(path.active)
        self.n_iter_ = solution.n_iter
        self.fit_report_ = check.report(self, solution)
        return self

    def predict(self, X: Any) -> Array:
        """Predicted targets, of shape (n_samples,)."""
        X = check.table(self, X)
        return np.asarray(X @ self.coef_ + self.intercept_)


def _judged(
    problem: optim.LinearProblem, x: Floats, path: optim.LarsPath, alpha: float, max_iter: int
) -> Solution:
    """The end of the path with its certificate: optimality conditions relative to those at zero."""
    local = problem.expand(x)
    broken = float(np.abs(local.gradient).max(initial=0.0)) / (path.alphas[0] or 1.0)
    certificate = Certificate("violation relative to the first alpha", broken, _TOL)
    cut = path.alphas[-1] > max(alpha, 1e-12 * path.alphas[0])
    status = Status.CONVERGED if certificate.holds else Status.STALLED
    message = "" if certificate.holds else "the path lost precision: scale the features"
    if cut:
        status = Status.MAX_ITER
        message = (
            f"the path was cut at alpha={path.alphas[-1]:.3g} after max_iter={max_iter} segments;"
            " raise max_iter or alpha"
        )
    return Solution(
        x=x,
        status=status,
        n_iter=max(1, len(path.alphas) - 1),
        objective=local.value,
        trace={"objective": np.array([local.value])},
        certificate=certificate,
        solver="homotopy (LARS)",
        message=message,
    )


def _centred(
    X: Array, y: Floats, shares: Floats, intercept: bool
) -> tuple[Floats, Floats, Floats, float]:
    table = X.astype(np.float64, copy=False)
    if not intercept:
        return table, y, np.zeros(X.shape[1]), 0.0
    first = table[0]
    x_mean = first + shares @ (table - first)
    y_mean = y[0] + shares @ (y - y[0])
    return table - x_mean, y - y_mean, x_mean, float(y_mean)
