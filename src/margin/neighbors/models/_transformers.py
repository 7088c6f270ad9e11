"""Graphs of neighbours as steps of a pipeline."""

from typing import Any, Self

from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin

from margin.core import atomic, check
from margin.neighbors.models._k_neighbors import KNeighborsMixin, check_mode
from margin.neighbors.models._radius_neighbors import RadiusNeighborsMixin, check_radius


class KNeighborsTransformer(ClassNamePrefixFeaturesOutMixin, TransformerMixin, KNeighborsMixin):
    r"""Rows to the sparse graph of their nearest neighbours (neighbors.01).

    A step of a pipeline whose next step takes ``metric="precomputed"``.

    Parameters
    ----------
    mode : {"distance", "connectivity"}, default="distance"
        Distances, or ones. With distances every row has one neighbour more: itself, at zero.
    n_neighbors : int, default=5
        How many rows are neighbours.
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
    n_jobs : int, optional
        Threads that share the queries, all by default.

    Attributes
    ----------
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

    Examples
    --------
    >>> from margin.neighbors import KNeighborsTransformer
    >>> KNeighborsTransformer(n_neighbors=1).fit_transform([[0.0], [3.0], [1.0]]).toarray()
    array([[0., 0., 1.],
           [0., 0., 2.],
           [1., 0., 0.]])
    """

    def __init__(
        self,
        *,
        mode: str = "distance",
        n_neighbors: int = 5,
        algorithm: str = "auto",
        leaf_size: int = 30,
        metric: Any = "minkowski",
        p: float = 2,
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.mode = mode
        self.n_neighbors = n_neighbors
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None) -> Self:
        """Keep the rows and prepare the search.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.

        Returns
        -------
        self
        """
        self._check_search()
        check.params(self, count="n_neighbors")
        check_mode(self, self.mode)
        X, _ = self._training(X)
        self._keep(X)
        self._n_features_out = self.n_samples_fit_
        return self

    def transform(self, X: Any) -> Any:
        """Sparse matrix of the nearest rows of each query.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)

        Returns
        -------
        sparse matrix of shape (n_queries, n_samples_fit), in CSR format
        """
        more = int(self.mode == "distance")
        return self.kneighbors_graph(X, self.n_neighbors + more, self.mode)

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """The graph of the rows themselves.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.

        Returns
        -------
        sparse matrix of shape (n_samples, n_samples), in CSR format
        """
        return self.fit(X).transform(X)


class RadiusNeighborsTransformer(
    ClassNamePrefixFeaturesOutMixin, TransformerMixin, RadiusNeighborsMixin
):
    r"""Rows to the sparse graph of all rows within a radius (neighbors.01).

    A step of a pipeline whose next step takes ``metric="precomputed"``.

    Parameters
    ----------
    mode : {"distance", "connectivity"}, default="distance"
        Distances, or ones.
    radius : float, default=1.0
        How far neighbours may be.
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
    n_jobs : int, optional
        Threads that share the queries, all by default.

    Attributes
    ----------
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

    Examples
    --------
    >>> from margin.neighbors import RadiusNeighborsTransformer
    >>> graph = RadiusNeighborsTransformer(radius=1.5).fit_transform([[0.0], [3.0], [1.0]])
    >>> graph.nnz
    5
    """

    def __init__(
        self,
        *,
        mode: str = "distance",
        radius: float = 1.0,
        algorithm: str = "auto",
        leaf_size: int = 30,
        metric: Any = "minkowski",
        p: float = 2,
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.mode = mode
        self.radius = radius
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None) -> Self:
        """Keep the rows and prepare the search.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.

        Returns
        -------
        self
        """
        self._check_search()
        check_radius(self, self.radius)
        check_mode(self, self.mode)
        X, _ = self._training(X)
        self._keep(X)
        self._n_features_out = self.n_samples_fit_
        return self

    def transform(self, X: Any) -> Any:
        """Sparse matrix of the rows within the radius of each query.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)

        Returns
        -------
        sparse matrix of shape (n_queries, n_samples_fit), in CSR format
        """
        return self.radius_neighbors_graph(X, mode=self.mode, sort_results=True)

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """The graph of the rows themselves.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.

        Returns
        -------
        sparse matrix of shape (n_samples, n_samples), in CSR format
        """
        return self.fit(X).transform(X)
