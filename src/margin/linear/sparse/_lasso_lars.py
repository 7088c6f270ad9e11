"""Lasso by its exact path."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, MultiOutputMixin, RegressorMixin
from sklearn.utils import check_random_state

from margin.core import Card, Solution, atomic, check
from margin.core.types import Array
from margin.linear.regression._least_squares_fit import linear_values
from margin.linear.sparse._accepted import check_precompute
from margin.linear.sparse._lasso_lars_fit import LarsFit, LarsSettings, fit_lars


class LassoLars(MultiOutputMixin, RegressorMixin, BaseEstimator):
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
    verbose : bool or int, default=False
        Without effect: progress is shown by :mod:`margin.core.progress`.
    precompute : bool, "auto" or array-like of shape (n_features, n_features), default="auto"
        Without effect: products of the columns are computed where the path needs them.
    max_iter : int, default=500
        Most segments of the path.
    eps : float, default=2.2e-16
        Without effect: columns in the span of the others are told by their own rule and stay out.
    copy_X : bool, default=True
        Without effect: the data are never changed.
    fit_path : bool, default=True
        Whether to keep the path beside its end.
    positive : bool, default=False
        Whether the coefficients must be at least 0.
    jitter : float, optional
        Uniform noise between 0 and this is added to the target. Ties need none: columns that catch
        up together are told apart exactly.
    random_state : int, Generator or RandomState, optional
        Of that noise.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,) or (n_targets, n_features)
        Coefficients :math:`w` at ``alpha``.
    intercept_ : float or ndarray of shape (n_targets,)
        Intercept :math:`b`.
    alphas_ : ndarray of shape (n_breakpoints,) or list of such
        Strengths at the breakpoints, decreasing, the last one ``alpha``; one array per target.
    coef_path_ : ndarray of shape (n_features, n_breakpoints) or list of such
        Coefficients there; linear in between. With ``fit_path`` only.
    active_ : list of int, or list of such
        Features in the model at the end, in order of entry. With ``fit_path`` only.
    n_iter_ : int or list of int
        Segments of the path.
    fit_report_ : FitReport
        The largest violation of an optimality condition at the solution.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    With at least two rows per feature one pass over ``X`` and :math:`O(p^2)` per segment, else
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
        verbose: bool | int = False,
        precompute: Any = "auto",
        max_iter: int = 500,
        eps: float = float(np.finfo(np.float64).eps),
        copy_X: bool = True,
        fit_path: bool = True,
        positive: bool = False,
        jitter: float | None = None,
        random_state: Any = None,
    ) -> None:
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.verbose = verbose
        self.precompute = precompute
        self.max_iter = max_iter
        self.eps = eps
        self.copy_X = copy_X
        self.fit_path = fit_path
        self.positive = positive
        self.jitter = jitter
        self.random_state = random_state

    @atomic
    def fit(self, X: Any, y: Any, Xy: Any = None, sample_weight: Any = None) -> Self:
        """Fit the path.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
        Xy : array-like of shape (n_features,) or (n_features, n_targets), optional
            Without effect: products of the columns with the targets are computed.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        check.params(
            self,
            nonnegative="alpha eps",
            count="max_iter",
            flag="fit_intercept copy_X fit_path positive",
        )
        if self.jitter is not None:
            check.params(self, nonnegative="jitter")
        X, y, weight = check.data(self, X, y, sample_weight, multi_output=True)
        check_precompute(self, self.precompute, X.shape[1], auto=True)
        if Xy is not None and np.shape(Xy)[:1] != X.shape[1:]:
            wanted = f"of {X.shape[1]} rows, the products of the columns with y"
            raise check.fail(self, "Xy", wanted, np.shape(Xy))
        targets = y.reshape(len(y), -1)
        if self.jitter is not None:
            rng = check_random_state(self.random_state)
            targets = targets + rng.uniform(high=self.jitter, size=len(y))[:, None]
        settings = LarsSettings(
            float(self.alpha), self.fit_intercept, self.positive, int(self.max_iter)
        )
        fits = fit_lars(X, targets, weight, settings)
        self._keep(fits, X.dtype, single=y.ndim == 1)
        merged = Solution.merge([fit.solution for fit in fits], parts="targets")
        self.fit_report_ = check.report(self, merged)
        return self

    def _keep(self, fits: list[LarsFit], dtype: Any, *, single: bool) -> None:
        one = len(fits) == 1
        self.coef_ = np.array([fit.coef for fit in fits]).astype(dtype)
        levels = np.array([fit.intercept for fit in fits]).astype(dtype)
        self.intercept_ = (levels[0] if single else levels) if self.fit_intercept else 0.0
        alphas = [fit.path.alphas if self.fit_path else fit.path.alphas[-1:] for fit in fits]
        counts = [fit.solution.n_iter for fit in fits]
        self.coef_ = self.coef_[0] if one else self.coef_
        self.alphas_: Any = alphas[0] if one else alphas
        self.n_iter_: Any = counts[0] if one else counts
        if self.fit_path:
            paths = [fit.path.coefs.astype(dtype) for fit in fits]
            active = [list(fit.path.active) for fit in fits]
            self.coef_path_: Any = paths[0] if one else paths
            self.active_: Any = active[0] if one else active

    def predict(self, X: Any) -> Array:
        """Predicted targets, of shape (n_samples,) or (n_samples, n_targets)."""
        return linear_values(check.table(self, X), self.coef_, self.intercept_)
