"""Generalised additive model."""

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from margin import optim
from margin.core import Card, Solution, Status, atomic, check, progress
from margin.distributions import Normal
from margin.linear.curves._additive_basis import SplineBasis
from margin.linear.curves._restricted_likelihood import RestrictedLikelihood

_CHUNK = 8192


class GeneralisedAdditiveModel(RegressorMixin, BaseEstimator):
    r"""Sum of one smooth function per feature (linear.21).

    Fits :math:`y = b + \sum_j f_j(x_j) + \varepsilon` with cubic splines of mean zero by minimising

    .. math:: \sum_i s_i \bigl(y_i - b - \sum_j f_j(x_{ij})\bigr)^2
              + \sum_j \alpha_j \int f_j''(u_j)^2\,du_j + \alpha_0 \sum_j \beta_j^2,

    where :math:`u_j` runs from 0 to 1 over the data and :math:`\beta_j` is the slope of the line in
    :math:`f_j` per standard deviation. The strengths are those of largest restricted likelihood,
    so that a feature without influence is flattened and one with a linear influence stays a line.

    Parameters
    ----------
    alpha : "reml", float or array-like of shape (n_features,), default="reml"
        Strengths of the bending penalties, above 0; given ones leave the lines unpenalised.
    n_knots : int, default=20
        Most knots per feature, at quantiles of its distinct values; at least 3.
    tol : float, default=1e-5
        Largest entry of the gradient of the likelihood per row that counts as zero.
    max_iter : int, default=200
        Most iterations in search of the strengths.

    Attributes
    ----------
    intercept_ : float
        Mean of the target.
    alpha_ : ndarray of shape (n_features,)
        Strengths of the bending penalties.
    line_alpha_ : float
        Strength :math:`\alpha_0` of the penalty of the lines.
    effective_dof_ : ndarray of shape (n_features,)
        Effective degrees of freedom of each function: 0 if flat, 1 if a line.
    noise_variance_ : float
        Variance of the noise, taken to be at least a millionth of that of the target.
    bases_ : list of SplineBasis
        Columns of each feature.
    weights_ : ndarray of shape (n_columns,)
        Coefficients of the columns of all features.
    covariance_ : ndarray of shape (n_columns, n_columns)
        Posterior covariance of the coefficients.
    fit_report_ : FitReport
        Restricted likelihood, its gradient, and the iterations.
    n_iter_ : int
        Iterations made.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    With :math:`q` columns in all, :math:`O(n q^2)` once and :math:`O(q^3)` per iteration; memory of
    :math:`q^2`, the columns themselves are made a few thousand rows at a time.

    References
    ----------
    Wood, Generalized Additive Models, 2nd edition, 2017.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.linear import GeneralisedAdditiveModel
    >>> X = np.random.default_rng(0).uniform(size=(300, 2))
    >>> y = np.sin(6 * X[:, 0]) + 2 * X[:, 1]
    >>> model = GeneralisedAdditiveModel().fit(X, y + 0.1 * np.cos(99 * X[:, 1]))
    >>> bool(np.abs(model.predict(X) - y).max() < 0.1), model.effective_dof_.round() >= 1
    (True, array([ True,  True]))
    """

    card = Card(tasks=("regression",), cost="linear", search_space={"n_knots": [8, 20]})

    def __init__(self, *, alpha="reml", n_knots=20, tol=1e-5, max_iter=200):
        self.alpha = alpha
        self.n_knots = n_knots
        self.tol = tol
        self.max_iter = max_iter

    @atomic
    def fit(self, X, y, sample_weight=None):
        """Fit the functions.

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
        check.params(self, positive="tol", count="n_knots max_iter")
        if self.n_knots < 3:
            raise check.fail(self, "n_knots", "an integer of at least 3", self.n_knots)
        X, y, weight = check.data(self, X, y, sample_weight)
        given = self._given_alpha(X.shape[1])
        share = np.ones(len(y)) if weight is None else weight

        table = X.astype(np.float64, copy=False)
        self.bases_ = [SplineBasis.of(x, share, self.n_knots) for x in table.T]
        mean = float(share @ y / share.sum())
        likelihood = self._likelihood(table, y - mean, share)
        solution, strengths = self._strengths(likelihood, given)

        self._store(likelihood, strengths, X.shape[1])
        self.intercept_ = X.dtype.type(mean)
        self.fit_report_ = check.report(self, solution)
        self.n_iter_ = solution.n_iter
        return self

    def _given_alpha(self, n_features):
        """Strengths of the bending penalties, None where they are to be found."""
        if isinstance(self.alpha, str) and self.alpha == "reml":
            return None
        try:
            given = np.broadcast_to(np.asarray(self.alpha, dtype=np.float64), n_features)
            good = bool((np.isfinite(given) & (given > 0)).all())
        except (TypeError, ValueError):
            good = False
        if not good:
            need = '"reml", a number above 0 or one for each feature'
            raise check.fail(self, "alpha", need, self.alpha)
        return given

    def _likelihood(self, X, y, share):
        """Sums over the rows; group 0 holds the lines, group j + 1 what bends of feature j."""
        groups = [
            [0, *[j + 1] * (basis.n_columns - 1)] if basis.n_columns else []
            for j, basis in enumerate(self.bases_)
        ]
        group = np.array([g for part in groups for g in part], dtype=np.intp)
        gram, moment = np.zeros((len(group),) * 2), np.zeros(len(group))
        for start in range(0, len(y), _CHUNK):
            rows = slice(start, start + _CHUNK)
            columns = self._columns(X[rows])
            weighted = share[rows, None] * columns
            gram += columns.T @ weighted
            moment += weighted.T @ y[rows]
        return RestrictedLikelihood(gram, moment, float(share @ y**2), share.sum(), group)

    def _columns(self, X):
        return np.hstack([basis.columns(x) for basis, x in zip(self.bases_, X.T, strict=True)])

    def _strengths(self, likelihood, given):
        """Solution of the search, and the strengths of the lines and of every feature."""
        n_groups = len(self.bases_) + 1
        scale = float(np.trace(likelihood.gram)) / max(len(likelihood.group), 1)
        weakest = 1e-8 * likelihood.count
        trivial = likelihood.total <= 1e-24 * likelihood.count or not len(likelihood.group)
        if given is not None or trivial:
            bends = np.full(n_groups - 1, max(scale, 1.0)) if given is None else given
            strengths = np.concatenate([[weakest], bends])
            objective = 0.0 if trivial else likelihood.solve(strengths).squares
            solution = Solution(
                x=np.log(strengths),
                status=Status.CONVERGED,
                n_iter=1,
                objective=objective,
                solver="one linear system",
            )
            return solution, strengths
        present = np.unique(likelihood.group)
        packed = RestrictedLikelihood(
            likelihood.gram,
            likelihood.moment,
            likelihood.total,
            likelihood.count,
            np.searchsorted(present, likelihood.group),
        )
        with progress.bar(type(self).__name__, self.max_iter) as tick:
            solver = optim.Newton(self.tol, self.max_iter)
            solution = optim.minimise(packed.problem(), solver, callback=tick)
        strengths = np.full(n_groups, np.inf)
        strengths[present] = packed.alpha(solution.x)
        return solution, strengths

    def _store(self, likelihood, strengths, n_features):
        """Coefficients and what follows from them."""
        q = len(likelihood.group)
        self.weights_, self.covariance_ = np.zeros(q), np.zeros((q, q))
        self.noise_variance_, self.effective_dof_ = 0.0, np.zeros(n_features)
        if q and likelihood.total > 1e-24 * likelihood.count:
            found = likelihood.solve(strengths)
            self.weights_ = found.coef
            self.noise_variance_ = found.squares / likelihood.freedom
            self.covariance_ = self.noise_variance_ * found.covariance
            dof = 1.0 - strengths[likelihood.group] * np.diag(found.covariance)
            owner = np.repeat(np.arange(n_features), [b.n_columns for b in self.bases_])
            self.effective_dof_ = np.bincount(owner, dof, minlength=n_features)
        self._count = likelihood.count
        self.line_alpha_, self.alpha_ = float(strengths[0]), strengths[1:]

    def predict(self, X):
        """Intercept plus the sum of the functions."""
        X = check.table(self, X)
        return (self.intercept_ + self._effects(X).sum(axis=1)).astype(X.dtype)

    def _effects(self, X):
        parts = np.split(self.weights_, np.cumsum([b.n_columns for b in self.bases_])[:-1])
        columns = [
            basis.columns(x) @ part for basis, x, part in zip(self.bases_, X.T, parts, strict=True)
        ]
        return np.column_stack(columns)

    def partial_effects(self, X):
        """Value of every function, which sum to the prediction less the intercept.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        effects, errors : ndarray of shape (n_samples, n_features)
            Functions and their posterior standard deviations.
        """
        X = check.table(self, X)
        ends = np.cumsum([basis.n_columns for basis in self.bases_])
        errors = np.zeros(X.shape)
        for j, (basis, x) in enumerate(zip(self.bases_, X.T, strict=True)):
            block = slice(ends[j] - basis.n_columns, ends[j])
            columns = basis.columns(x)
            variance = np.sum((columns @ self.covariance_[block, block]) * columns, axis=1)
            errors[:, j] = np.sqrt(np.maximum(variance, 0.0))
        return self._effects(X), errors

    def predict_dist(self, X):
        """Predictive distribution of a new target at each row, noise included.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        margin.distributions.Normal
            One normal distribution per row.
        """
        X = check.table(self, X).astype(np.float64, copy=False)
        columns = self._columns(X)
        variance = np.sum((columns @ self.covariance_) * columns, axis=1)
        variance = variance + self.noise_variance_ * (1 + 1 / self._count)
        mean = self.intercept_ + columns @ self.weights_
        return Normal(mean, np.sqrt(np.maximum(variance, np.finfo(np.float64).tiny)))
