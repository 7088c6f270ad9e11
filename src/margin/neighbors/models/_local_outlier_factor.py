"""Outliers by local densities."""

import warnings
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from sklearn.base import OutlierMixin
from sklearn.utils.validation import check_is_fitted

from margin.core import atomic, available_if, check
from margin.core.types import Array, Floats, Indices
from margin.neighbors.models._k_neighbors import KNeighborsMixin

_CLOSE = 1e-10  # of the mean distance: what equal rows are apart, so that densities stay finite


def _judges_new_rows(method: str) -> Callable[[Any], bool]:
    """The condition under which a method is there."""

    def judges(self: Any) -> bool:
        if not self.novelty:
            raise AttributeError(
                f"{method} is not available when novelty=False: the negative_outlier_factor_ of "
                "the rows is. Use novelty=True to judge new rows."
            )
        return True

    return judges


class LocalOutlierFactor(OutlierMixin, KNeighborsMixin):
    r"""Outliers as rows less dense than their neighbours (neighbors.01).

    With the distance :math:`d_k(z)` of a row to its k-th neighbour, the local density of :math:`x`
    and its outlier factor are

    .. math:: \rho(x) = \Big(\tfrac1k \sum_{z \in N_k(x)} \max\{d(x, z), d_k(z)\}\Big)^{-1}, \qquad
              \mathrm{LOF}(x) = \tfrac1k \sum_{z \in N_k(x)} \frac{\rho(z)}{\rho(x)} ,

    about one inside of a cluster, larger outside.

    Parameters
    ----------
    n_neighbors : int, default=20
        Rows that a density is estimated from; at most all others.
    algorithm : {"auto", "brute", "kd_tree", "ball_tree"}, default="auto"
        How neighbours are searched for, see :class:`NearestNeighbors`.
    leaf_size : int, default=30
        Rows of a leaf of a tree, rounded up to blocks of 16.
    metric : str, callable or Kernel, default="minkowski"
        As for :class:`NearestNeighbors`.
    p : float, default=2
        Power of the Minkowski distance.
    metric_params : dict, optional
        Further parameters of the metric.
    contamination : "auto" or float, default="auto"
        Share of the rows that are outliers, above 0 and at most 0.5; ``"auto"`` takes those with a
        factor above 1.5.
    novelty : bool, default=False
        Whether new rows are judged (``predict``, ``decision_function``, ``score_samples``), or the
        rows of the fit (``fit_predict``).
    n_jobs : int, optional
        Threads that share the queries, all by default.

    Attributes
    ----------
    negative_outlier_factor_ : ndarray of shape (n_samples,)
        Minus the factor of each row.
    n_neighbors_ : int
        Neighbours used.
    offset_ : float
        Rows with a lower negative factor are outliers.
    effective_metric_ : str, callable or Kernel
        The metric in its simplest terms.
    effective_metric_params_ : dict
        Its parameters.
    n_samples_fit_ : int
        Rows of the fit.
    search_method_ : {"brute", "kd_tree", "ball_tree"}
        How neighbours are searched for.
    search_reason_ : str
        Why so.
    fit_report_ : FitReport
        How the rows are searched; there is nothing to optimise.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    References
    ----------
    M. Breunig, H.-P. Kriegel, R. Ng, J. Sander, LOF: identifying density-based local outliers,
    SIGMOD (2000).

    Examples
    --------
    >>> from margin.neighbors import LocalOutlierFactor
    >>> model = LocalOutlierFactor(n_neighbors=2)
    >>> model.fit_predict([[-1.1], [0.2], [101.1], [0.3]])
    array([ 1,  1, -1,  1])
    """

    def __init__(
        self,
        n_neighbors: int = 20,
        *,
        algorithm: str = "auto",
        leaf_size: int = 30,
        metric: Any = "minkowski",
        p: float = 2,
        metric_params: dict[str, Any] | None = None,
        contamination: Any = "auto",
        novelty: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.contamination = contamination
        self.novelty = novelty
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None) -> Self:
        """Keep the rows and find their densities and factors.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Or distances of shape (n_samples, n_samples) for the metric ``"precomputed"``.
        y : None
            Without effect, for pipelines.

        Returns
        -------
        self
        """
        self._check_search()
        check.params(self, count="n_neighbors", flag="novelty")
        self._check_contamination()
        X, _ = self._training(X)
        self._keep(X)
        n = self.n_samples_fit_
        if n < 2:
            raise ValueError(
                f"{type(self).__name__}: X must hold at least 2 samples, got n_samples = {n}: "
                f"Expected n_neighbors < n_samples_fit, but n_neighbors = {self.n_neighbors}, "
                f"n_samples_fit = {n}, n_samples = {n}"
            )
        if self.n_neighbors > n:
            warnings.warn(
                f"n_neighbors ({self.n_neighbors}) is greater than the total number of samples "
                f"({n}). n_neighbors will be set to (n_samples - 1) for estimation.",
                stacklevel=3,
            )
        self.n_neighbors_ = max(1, min(int(self.n_neighbors), n - 1))
        distance, number = self._nearest(None, self.n_neighbors_)
        self._reach = distance[:, -1]
        self._close = _CLOSE * max(float(distance.mean()), np.finfo(np.float64).tiny / _CLOSE)
        self._density = self._densities(distance, number)
        self.negative_outlier_factor_ = -self._factors(self._density, number)
        self._set_offset()
        return self

    def _check_contamination(self) -> None:
        share = self.contamination
        if isinstance(share, str) and share == "auto":
            return
        real = isinstance(share, int | float | np.number) and not isinstance(share, bool)
        if not real or not 0 < share <= 0.5:
            wanted = "'auto' or a number above 0 and at most 0.5"
            raise check.fail(self, "contamination", wanted, share)

    def _set_offset(self) -> None:
        if isinstance(self.contamination, str):
            self.offset_ = -1.5
        else:
            share = 100.0 * self.contamination
            self.offset_ = float(np.percentile(self.negative_outlier_factor_, share))
        if self.negative_outlier_factor_.min() < -1e7 and not self.novelty:
            warnings.warn(
                "Duplicate values are leading to incorrect results. Increase the number of "
                "neighbors for more accurate results.",
                stacklevel=4,
            )

    def _densities(self, distance: Floats, number: Indices) -> Floats:
        """One over the mean distance at which rows are reached from their neighbours."""
        reached = np.maximum(distance, self._reach[number])
        return np.asarray(1.0 / (reached.mean(axis=1) + self._close))

    def _factors(self, density: Floats, number: Indices) -> Floats:
        return np.asarray((self._density[number] / density[:, None]).mean(axis=1))

    def _judges_rows(self) -> bool:
        if self.novelty:
            raise AttributeError(
                "fit_predict is not available when novelty=True. Use novelty=False if you want to "
                "predict on the training set."
            )
        return True

    @available_if(_judges_rows)
    def fit_predict(self, X: Any, y: Any = None) -> Array:
        """Fit, and tell outliers (-1) from other rows (1).

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        self.fit(X)
        return np.where(self.negative_outlier_factor_ < self.offset_, -1, 1)

    @available_if(_judges_new_rows("predict"))
    def predict(self, X: Any) -> Array:
        """Tell new rows that are outliers (-1) from others (1).

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)

        Returns
        -------
        ndarray of shape (n_queries,)
        """
        return np.where(self.decision_function(X) < 0, -1, 1)

    @available_if(_judges_new_rows("decision_function"))
    def decision_function(self, X: Any) -> Floats:
        """Minus the factor of new rows, less ``offset_``; outliers are below zero.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)

        Returns
        -------
        ndarray of shape (n_queries,)
        """
        scores = self.score_samples(X)
        return np.asarray(scores - self.offset_)

    @available_if(_judges_new_rows("score_samples"))
    def score_samples(self, X: Any) -> Floats:
        """Minus the factor of new rows.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)

        Returns
        -------
        ndarray of shape (n_queries,)
        """
        check_is_fitted(self)
        distance, number = self._nearest(X, self.n_neighbors_)
        return -self._factors(self._densities(distance, number), number)
