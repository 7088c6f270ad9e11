"""Canonical correlation analysis as a density of two tables."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import (
    BaseEstimator,
    ClassNamePrefixFeaturesOutMixin,
    MultiOutputMixin,
    RegressorMixin,
    TransformerMixin,
)
from sklearn.utils.validation import check_array, check_is_fitted

from margin.core import Blocks, Card, Solution, atomic, check, random
from margin.core.types import Array, Floats
from margin.decomposition._closed_form import closed_form
from margin.decomposition.correlation._shared_latent import (
    Group,
    SharedLatent,
    all_groups,
    closed_form_fit,
    closed_form_groups,
    conditionals,
    em_fit,
    groups_of,
    log_likelihood,
)
from margin.distributions import ColumnMoments


class ProbabilisticCCA(
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    RegressorMixin,
    MultiOutputMixin,
    BaseEstimator,
):
    r"""Two tables that share hidden variables, with entries missing (decomposition.11).

    .. math:: z \sim N(0, I), \qquad x \sim N(\mu_x + W_x z, \Psi_x), \qquad
              y \sim N(\mu_y + W_y z, \Psi_y)

    with full covariances :math:`\Psi`. The maximum of the likelihood spans the canonical
    directions, and the hidden variables are averages of the canonical variates. NaN in ``X`` or
    ``y`` means unobserved: it is integrated out, in ``fit`` by expectation maximisation.

    Parameters
    ----------
    n_components : int, default=2
        Hidden variables, at most the columns of either table.
    reg_covar : float, default=1e-6
        Variance added to every column in standard units, which keeps the density proper.
    tol : float, default=1e-8
        Relative gain of the likelihood that ends expectation maximisation.
    max_iter : int, default=1000
        Most iterations; a table without gaps needs none.

    Attributes
    ----------
    x_weights_, y_weights_ : ndarray of shape (n_columns, n_components)
        Loadings :math:`W`.
    x_mean_, y_mean_ : ndarray of shape (n_columns,)
        Means.
    x_noise_, y_noise_ : ndarray of shape (n_columns, n_columns)
        Covariances :math:`\Psi` of what is not shared.
    correlations_ : ndarray of shape (n_components,)
        Canonical correlations that the model implies, largest first.
    log_likelihood_ : float
        Mean log-density of a row of the fit, by weight.
    n_iter_ : int
        Iterations of expectation maximisation, 1 for the closed form.
    fit_report_ : FitReport
        Minus the penalised log-likelihood, which never rises.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    Closed form: as :class:`CCA`. With gaps an iteration costs :math:`O((p + q)^3)` per pattern of
    missing values.

    References
    ----------
    F. Bach and M. Jordan, A probabilistic interpretation of canonical correlation analysis (2005).

    Examples
    --------
    >>> from sklearn.datasets import load_linnerud
    >>> from margin.decomposition import ProbabilisticCCA
    >>> X, y = load_linnerud(return_X_y=True)
    >>> ProbabilisticCCA(n_components=3).fit(X, y).correlations_.round(4)
    array([0.7956, 0.2006, 0.0726])
    """

    card = Card(tasks=("regression",), on_request=True)
    takes_missing_targets = True
    _n_targets: int

    def __init__(
        self,
        *,
        n_components: int = 2,
        reg_covar: float = 1e-6,
        tol: float = 1e-8,
        max_iter: int = 1000,
    ) -> None:
        self.n_components = n_components
        self.reg_covar = reg_covar
        self.tol = tol
        self.max_iter = max_iter

    @atomic
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the density.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets)
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts.

        Returns
        -------
        self
        """
        self._check_params()
        if y is None:
            raise ValueError("ProbabilisticCCA: requires y to be passed, but the target y is None")
        D = self._both(X, y, reset=True)
        weight = check.weights(self, sample_weight, len(D))
        if weight is not None:  # rows of no weight are as if they were not there
            D, weight = D[weight > 0], weight[weight > 0]
        p = D.shape[1] - self._n_targets
        mean, scale = self._units(ColumnMoments.of(D, weight))
        Z = (D - mean) / scale
        gaps = bool(np.isnan(Z).any())
        k, ridge = int(self.n_components), float(self.reg_covar)
        start = closed_form_fit(np.where(np.isnan(Z), 0.0, Z), p, k, ridge, weight)
        solution = self._improved(start, groups_of(Z, weight) if gaps else [])
        self._store(solution.x, mean, scale)
        self.log_likelihood_ = float(np.average(self._log_prob(D), weights=weight))
        return self._told(solution, len(D) if weight is None else float(weight.sum()))

    @atomic
    def fit_blocks(self, blocks: Any) -> Self:
        """Fit to two tables that come in blocks of rows.

        Parameters
        ----------
        blocks : iterable or callable
            Tuples ``(X, y)`` or ``(X, y, sample_weight)``, from something that can be read again
            or from a function that opens it: twice, for of all rows with the same gaps only sums
            are kept. The answer is that of :meth:`fit` on all rows, up to rounding.

        Returns
        -------
        self
        """
        self._check_params()
        source = Blocks.of(self, blocks)
        moments: Any = sum(ColumnMoments.of(D, weight) for D, weight in self._tables(source))
        if not isinstance(moments, ColumnMoments):
            raise check.fail(self, "blocks", "at least one block of rows", "none")
        mean, scale = self._units(moments)
        parts = all_groups(((D - mean) / scale, weight) for D, weight in self._tables(source))
        groups = [group for group in parts if group.weight > 0]
        d, q = len(mean), self._n_targets
        gaps = any(len(group.columns) < d for group in groups)
        k, ridge = int(self.n_components), float(self.reg_covar)
        start = closed_form_groups(groups, d, d - q, k, ridge)
        solution = self._improved(start, groups if gaps else [])
        self._store(solution.x, mean, scale)
        units = [np.log(scale[group.columns]).sum() * group.weight for group in groups]
        n = sum(group.weight for group in groups)
        self.log_likelihood_ = log_likelihood(solution.x, groups) - float(np.sum(units)) / n
        return self._told(solution, n)

    def _check_params(self) -> None:
        check.params(self, count="n_components max_iter", positive="reg_covar", nonnegative="tol")

    def _both(self, X: Any, y: Any, *, reset: bool) -> Floats:
        """Rows of both tables side by side."""
        X = check.table(self, X, missing=True, reset=reset)
        Y = self._targets(y, len(X))
        if not reset and Y.shape[1] != self._n_targets:
            need = f"of {self._n_targets} columns in every block"
            raise check.fail(self, "y", need, Y.shape[1])
        self._flat, self._n_targets = np.ndim(np.asarray(y)) == 1, Y.shape[1]
        most = min(X.shape[1], Y.shape[1])
        if self.n_components > most:
            wanted = f"at most {most}, the columns of either table"
            raise check.fail(self, "n_components", wanted, self.n_components)
        return np.hstack([X.astype(np.float64), Y])

    def _tables(self, blocks: Blocks) -> Iterator[tuple[Floats, Floats | None]]:
        for number, block in enumerate(blocks):
            if len(block) not in (2, 3):
                need = "of tuples (X, y) or (X, y, sample_weight)"
                raise check.fail(self, "blocks", need, f"a block of {len(block)} parts")
            D = self._both(*block[:2], reset=number == 0)
            weight = block[2] if len(block) == 3 else None
            yield D, check.weights(self, weight, len(D), part=True)

    def _units(self, moments: ColumnMoments) -> tuple[Floats, Floats]:
        """Means and standard deviations of what was observed; constant columns have the unit 1."""
        empty = np.flatnonzero(moments.weight == 0)
        if len(empty):
            wanted = "observed somewhere in every column"
            raise check.fail(self, "X and y", wanted, f"only NaN in column {empty[0]} of both")
        mean = np.asarray(moments.mean)
        scale = np.sqrt(moments.scatter / moments.weight)
        scale[scale <= 1e-12 * np.abs(mean)] = 1.0
        scale[scale == 0] = 1.0
        return mean, scale

    def _improved(self, start: SharedLatent, groups: list[Group]) -> Solution:
        """The start itself where there are no gaps, and so no groups to learn from."""
        if not groups:
            return replace(closed_form(0.0, "canonical correlations"), x=start)
        ridge = float(self.reg_covar)
        return em_fit(groups, start, ridge, tol=float(self.tol), max_iter=int(self.max_iter))

    def _told(self, solution: Solution, n: float) -> Self:
        if solution.solver == "canonical correlations":
            solution = closed_form(-n * self.log_likelihood_, solution.solver)
        self.n_iter_ = solution.n_iter
        self.fit_report_ = check.report(self, solution)
        return self

    def _targets(self, y: Any, n: int) -> Floats:
        Y = check_array(
            y, ensure_2d=False, dtype=np.float64, ensure_all_finite="allow-nan", input_name="y"
        )
        Y = Y.reshape(-1, 1) if Y.ndim == 1 else Y
        if len(Y) != n:
            raise check.fail(self, "y", f"of length {n}", len(Y))
        return np.asarray(Y)

    def _store(self, model: SharedLatent, mean: Floats, scale: Floats) -> None:
        p = model.split
        noise = model.noise * np.outer(scale, scale)
        W = model.loadings * scale[:, None]
        self._model = SharedLatent(model.mean * scale + mean, W, noise, p)
        self.x_weights_, self.y_weights_ = W[:p], W[p:]
        self.x_mean_, self.y_mean_ = self._model.mean[:p], self._model.mean[p:]
        self.x_noise_, self.y_noise_ = noise[:p, :p], noise[p:, p:]
        C = model.covariance
        halves = [np.linalg.cholesky(C[s, s]) for s in (slice(p), slice(p, None))]
        left = np.linalg.solve(halves[0], C[:p, p:])
        values = np.linalg.svd(np.linalg.solve(halves[1], left.T), compute_uv=False)
        self.correlations_ = values[: int(self.n_components)]
        self._n_features_out = int(self.n_components)

    def _log_prob(self, D: Floats) -> Floats:
        out = np.empty(len(D))
        for part in conditionals(self._model, D):
            out[part.rows] = part.log_prob
        return out

    def _rows(self, X: Any, y: Any = None) -> Floats:
        """Rows of both tables, with what is not given unobserved."""
        X = check.table(self, X, missing=True)
        q = len(self.y_mean_)
        Y = np.full((len(X), q), np.nan) if y is None else self._targets(y, len(X))
        return np.hstack([X.astype(np.float64), Y])

    def score_samples(self, X: Any, y: Any = None) -> Array:
        """Log-density of the observed entries of each row, of both tables or of ``X`` alone.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets), optional

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self._log_prob(self._rows(X, y))

    def transform(self, X: Any, y: Any = None) -> Array:
        """Mean of the hidden variables, given ``X`` or both tables.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets), optional

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        D = self._rows(X, y)
        out = np.empty((len(D), int(self.n_components)))
        for part in conditionals(self._model, D):
            out[part.rows] = part.latent
        return out

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """Fit, and the mean of the hidden variables given ``X``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,) or (n_samples, n_targets)

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        return self.fit(X, y).transform(X)

    def predict(self, X: Any) -> Array:
        """Mean of ``y`` given the observed entries of ``X``.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_targets)
        """
        D = self._rows(X)
        out = np.empty((len(D), len(self.y_mean_)))
        for part in conditionals(self._model, D):
            out[part.rows] = part.columns[:, self._model.split :]
        return out[:, 0] if self._flat else out

    def sample(self, n_samples: int = 1, random_state: Any = None) -> tuple[Array, Array]:
        """Draw rows of both tables.

        Parameters
        ----------
        n_samples : int, default=1
        random_state : int, Generator, RandomState or None, default=None

        Returns
        -------
        X : ndarray of shape (n_samples, n_features)
        y : ndarray of shape (n_samples, n_targets)
        """
        check_is_fitted(self)
        rng = random.generator(random_state)
        root = np.linalg.cholesky(self._model.covariance)
        D = self._model.mean + rng.standard_normal((n_samples, len(root))) @ root.T
        return D[:, : self._model.split], D[:, self._model.split :]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.input_tags.allow_nan = True
        tags.regressor_tags.poor_score = True
        return tags
