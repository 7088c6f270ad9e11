"""What Gaussian mixtures answer, however they were fitted."""

import sys
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.utils.validation import check_is_fitted

from margin.core import Blocks, FitError, Solution, Status, check, random, threads
from margin.core.progress import Callback
from margin.core.types import Array, Floats, Places
from margin.distributions import MixtureDistribution, Normal
from margin.mixture.finite._gaussian_checks import spread_shape
from margin.mixture.finite._gaussian_expectation import log_densities, observed_columns
from margin.mixture.finite._gaussian_starts import INITS
from margin.mixture.finite._gaussians import KINDS, Gaussians
from margin.mixture.finite._row_groups import Stream, Table

MOST_SEEDS = 50_000


class CollapsedError(FitError, ValueError):
    """A component has collapsed where nothing keeps it from doing so."""


class GaussianModel(DensityMixin, BaseEstimator, ABC):
    """Densities, labels and draws of a fitted Gaussian mixture."""

    n_components: int
    covariance_type: str
    n_jobs: int | None
    random_state: Any
    verbose: int
    verbose_interval: int
    max_iter: int
    warm_start: bool

    @abstractmethod
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Fit the mixture."""

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Places:
        """Fit the mixture and tell the most probable component of every row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return self.fit(X, y, sample_weight).predict(X)

    def score_samples(self, X: Any) -> Floats:
        """Log density of what was observed of every row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN means unobserved.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        table, dtype = self._joint(X)
        return np.asarray(logsumexp(table, axis=1), dtype=dtype)

    def score(self, X: Any, y: Any = None) -> float:
        """Mean log density of the rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.
        """
        return float(np.mean(self.score_samples(X)))

    def predict(self, X: Any) -> Places:
        """Most probable component of every row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN means unobserved.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return np.asarray(np.argmax(self._joint(X)[0], axis=1))

    def predict_proba(self, X: Any) -> Floats:
        """Probability of every component given each row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN means unobserved.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        table, dtype = self._joint(X)
        total = logsumexp(table, axis=1, keepdims=True)
        nowhere = np.isneginf(total)
        share = np.where(
            nowhere, self._parameters().weights, np.exp(table - np.where(nowhere, 0.0, total))
        )
        return np.asarray(share, dtype=dtype)

    def sample(self, n_samples: int = 1) -> tuple[Floats, Places]:
        """Draw rows, in the order of their components.

        Parameters
        ----------
        n_samples : int, default=1

        Returns
        -------
        X : ndarray of shape (n_samples, n_features)
        y : ndarray of shape (n_samples,)
            The component that each was drawn from.
        """
        check_is_fitted(self)
        if n_samples < 1:
            raise ValueError(
                f"{type(self).__name__}: n_samples must be at least 1, got {n_samples}: Invalid "
                "value for 'n_samples'"
            )
        rng = random.generator(self.random_state)
        at = self._parameters()
        counts = rng.multinomial(n_samples, at.weights / at.weights.sum())
        members = at.distribution().components
        drawn = [m.sample(int(n), rng) for m, n in zip(members, counts, strict=True) if n]
        return np.concatenate(drawn), np.repeat(np.arange(len(counts)), counts)

    def bic(self, X: Any) -> float:
        """Bayesian information criterion, the lower the better.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        """
        value = self.score_samples(X)
        return float(-2 * value.sum() + self._n_parameters() * np.log(len(value)))

    def aic(self, X: Any) -> float:
        """Akaike information criterion, the lower the better.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        """
        return float(-2 * self.score_samples(X).sum() + 2 * self._n_parameters())

    @property
    def mixture_(self) -> MixtureDistribution:
        """The mixture as a distribution, with ``marginal``, ``condition``, ``cdf`` …"""
        check_is_fitted(self)
        return self._parameters().distribution()

    def impute(self, X: Any) -> Floats:
        """Rows with their gaps filled by what is expected there given what was observed.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            NaN means unobserved.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
        """
        check_is_fitted(self)
        rows = np.array(check.table(self, X, missing=True), dtype=np.float64)
        joint = self.mixture_
        for i in np.flatnonzero(np.isnan(rows).any(axis=1)):
            gaps = np.isnan(rows[i])
            if gaps.all():
                rows[i] = joint.mean
            else:
                seen = np.flatnonzero(~gaps)
                rows[i, gaps] = joint.condition(seen, rows[i, seen]).mean
        return rows

    def marginals(self) -> list[MixtureDistribution]:
        """The distribution of every column by itself."""
        at = self._parameters()
        width = np.sqrt(np.diagonal(at.matrices, axis1=1, axis2=2))
        share = at.weights / at.weights.sum()
        return [
            MixtureDistribution(share, Normal(at.means[:, j], width[:, j])) for j in range(at.dim)
        ]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _n_parameters(self) -> int:
        check_is_fitted(self)
        return self._parameters().n_parameters

    def _parameters(self) -> Gaussians:
        """The fitted mixture in double precision."""
        return Gaussians(
            np.asarray(self.weights_, dtype=np.float64),
            np.asarray(self.means_, dtype=np.float64),
            np.asarray(self.covariances_, dtype=np.float64),
            self.covariance_type,
            _roots(self.precisions_cholesky_, self.covariance_type),
        )

    def _log_levels(self, at: Gaussians) -> Floats:
        """What is added to the log density of every component."""
        return at.log_weights

    def _joint(self, X: Any) -> tuple[Floats, Any]:
        check_is_fitted(self)
        rows = check.table(self, X, missing=True)
        at = self._parameters()
        table = log_densities(at, rows, threads.count(self.n_jobs)) + self._log_levels(at)
        return table, rows.dtype

    def _check_shared(self) -> None:
        check.params(
            self,
            nonnegative="tol reg_covar",
            count="n_components n_init verbose_interval",
            flag="warm_start",
            one_of={"covariance_type": KINDS, "init_params": INITS},
        )
        if not isinstance(self.max_iter, int | np.integer) or self.max_iter < 0:
            raise check.fail(self, "max_iter", "an integer of at least 0", self.max_iter)

    def _table(self, X: Any, sample_weight: Any) -> tuple[Table, Any]:
        """The rows of a fit, checked."""
        rows = check.table(self, X, missing=True, reset=True)
        weight = check.weights(self, sample_weight, len(rows))
        self._enough(len(rows))
        observed_columns(self, rows)
        split = self.covariance_type in ("full", "tied")
        return Table.of(rows, weight, split=split), rows.dtype

    def _stream(self, blocks: Any) -> Stream:
        """Rows that are read block by block, checked as they come."""
        first = True

        def checked(X: Any, weight: Any) -> tuple[Array, Floats | None]:
            nonlocal first
            rows, first = check.table(self, X, missing=True, reset=first), False
            return rows, check.weights(self, weight, len(rows), part=True)

        return Stream(
            self, Blocks.of(self, blocks), checked, self.covariance_type in ("full", "tied")
        )

    def _enough(self, n: int) -> None:
        if n < self.n_components:
            raise ValueError(
                f"{type(self).__name__}: X must have at least n_components={self.n_components} "
                f"samples, got {n}: Expected n_samples >= n_components but got n_components = "
                f"{self.n_components}, n_samples = {n}"
            )

    def _goes_on(self, d: int) -> bool:
        """Whether the fit starts from the one before, which must be of the same shape."""
        if not (self.warm_start and hasattr(self, "converged_")):
            return False
        k = int(self.n_components)
        shape = spread_shape(self.covariance_type, k, d)
        return bool(self.means_.shape == (k, d) and self.covariances_.shape == shape)

    def _callback(self) -> Callback | None:
        if not self.verbose:
            return None

        def show(iteration: int, objective: float) -> None:
            if iteration % self.verbose_interval == 0:
                name = type(self).__name__
                sys.stdout.write(f"{name}: iteration {iteration}, bound {-objective:.6g}\n")

        return show

    def _ended(self, search: Callable[[], Solution]) -> Solution:
        """The solution of a search; a collapse is raised in the name of the class."""
        name = type(self).__name__
        try:
            solution = search()
        except FitError as error:
            raise CollapsedError(f"{name}: {error}") from error
        if solution.status is Status.FAILED:
            raise CollapsedError(f"{name}: {solution.message}")
        return solution


def _roots(factor: ArrayLike, kind: str) -> Floats:
    """Inverse factors of the covariances from factors of the precisions."""
    value = np.asarray(factor, dtype=np.float64)
    if kind in ("diag", "spherical"):
        return value
    return np.ascontiguousarray(np.swapaxes(value, -1, -2))
