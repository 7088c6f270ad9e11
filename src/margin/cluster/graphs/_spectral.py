"""Clusters by cuts of a graph."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.metrics.pairwise import KERNEL_PARAMS, pairwise_kernels
from sklearn.neighbors import NearestNeighbors, kneighbors_graph
from sklearn.utils.validation import check_symmetric

from margin.cluster.centroids._equal_rows import equal_rows
from margin.cluster.centroids._k_means import KMeans
from margin.cluster.centroids._restarts import Speaker, told_of_few
from margin.cluster.graphs._embedding import labels_by_qr, labels_by_rotation, warn_of_pieces
from margin.core import Solution, Status, atomic, check, random
from margin.core.types import Array, Indices
from margin.kernels import Kernel, gaussian_affinity
from margin.linalg import graph_functions

_GRAPHS = ("nearest_neighbors", "precomputed", "precomputed_nearest_neighbors")
_NAMES = (*_GRAPHS, *sorted(KERNEL_PARAMS))


class SpectralClustering(ClusterMixin, BaseEstimator):
    r"""Clusters that are weakly connected in a graph of similarities (cluster.12).

    The normalised cut :math:`\sum_c \mathrm{cut}(c) / \mathrm{vol}(c)` is relaxed to the leading
    eigenvectors of :math:`D^{-1/2} A D^{-1/2}`, where the similarity of a row to itself does not
    count; rows are labelled by where these put them. Clusters may have any shape as long as they
    hang together.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    eigen_solver : {None, "arpack", "lobpcg", "amg"}, default=None
        How eigenvectors of large graphs are found; ``"amg"`` is not offered.
    n_components : int, optional
        Eigenvectors; as many as clusters by default.
    random_state : int, Generator, RandomState or None, default=None
        For k-means and iterative eigenvectors.
    n_init : int, default=10
        Starts of k-means.
    gamma : float, default=1.0
        Of the kernels that have one.
    affinity : str, callable or Kernel, default="rbf"
        A kernel of scikit-learn by name, a kernel of :mod:`margin.kernels`, a function of two rows,
        ``"nearest_neighbors"``, ``"precomputed"`` for similarities (their mean with the transpose,
        with a warning, where they are not symmetric), or
        ``"precomputed_nearest_neighbors"`` for a sparse graph of distances.
    n_neighbors : int, default=10
        Of the graphs of neighbours.
    eigen_tol : "auto" or float, default="auto"
        Tolerance of iterative eigenvectors.
    assign_labels : {"kmeans", "discretize", "cluster_qr"}, default="kmeans"
        How rows are labelled in the end.
    degree : float, default=3
        Of the polynomial kernel.
    coef0 : float, default=1
        Of the polynomial and sigmoid kernels.
    kernel_params : dict, optional
        Parameters of a kernel that is a function.
    n_jobs : int, optional
        For the neighbours.
    verbose : bool, default=False
        Whether to print what happens.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row.
    affinity_matrix_ : ndarray or sparse matrix of shape (n_samples, n_samples)
        The graph.
    embedding_ : ndarray of shape (n_samples, n_components)
        The eigenvectors, divided by the roots of the degrees.
    fit_report_ : FitReport
        How rows were labelled; its objective is the normalised cut.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n^2)` memory for a full graph. The eigenvectors of up to 400 rows are exact.

    References
    ----------
    J. Shi, J. Malik, Normalized cuts and image segmentation, IEEE Trans. PAMI 22 (2000).
    U. von Luxburg, A tutorial on spectral clustering, Statistics and Computing 17 (2007).

    Examples
    --------
    >>> from margin.cluster import SpectralClustering
    >>> X = [[1, 1], [2, 1], [1, 0], [4, 7], [3, 5], [3, 6]]
    >>> SpectralClustering(n_clusters=2, assign_labels="discretize", random_state=0).fit(X).labels_
    array([1, 1, 1, 0, 0, 0])
    """

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        eigen_solver: str | None = None,
        n_components: int | None = None,
        random_state: Any = None,
        n_init: int = 10,
        gamma: float = 1.0,
        affinity: Any = "rbf",
        n_neighbors: int = 10,
        eigen_tol: Any = "auto",
        assign_labels: str = "kmeans",
        degree: float = 3,
        coef0: float = 1,
        kernel_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.eigen_solver = eigen_solver
        self.n_components = n_components
        self.random_state = random_state
        self.n_init = n_init
        self.gamma = gamma
        self.affinity = affinity
        self.n_neighbors = n_neighbors
        self.eigen_tol = eigen_tol
        self.assign_labels = assign_labels
        self.degree = degree
        self.coef0 = coef0
        self.kernel_params = kernel_params
        self.n_jobs = n_jobs
        self.verbose = verbose

    @atomic
    def fit(self, X: Any, y: Any = None) -> Self:
        """Build the graph and cut it.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
            Or the graph.
        y : None
            Without effect, for pipelines.

        Returns
        -------
        self
        """
        self._check()
        X = check.table(self, X, sparse=True, order="C", reset=True)
        if X.shape[0] < 2:
            raise ValueError(
                f"{type(self).__name__}: X must hold at least 2 samples, got n_samples = "
                f"{X.shape[0]}: a minimum of 2 is required."
            )
        if self.n_clusters > X.shape[0]:
            raise check.fail(self, "n_clusters", f"at most {X.shape[0]} samples", self.n_clusters)
        A = self._graph(X)
        rng, speaker = random.generator(self.random_state), Speaker(self.verbose)
        warn_of_pieces(A, type(self).__name__)
        tol = 0.0 if isinstance(self.eigen_tol, str) else float(self.eigen_tol)
        k = int(self.n_clusters if self.n_components is None else self.n_components)
        solver = "lobpcg" if self.eigen_solver == "lobpcg" else None
        maps = graph_functions(A, k, rng=rng, tol=tol, solver=solver).functions
        speaker.say(f"Computing label assignment using {self.assign_labels}")
        equal = equal_rows(X)
        n_distinct = int(equal.max()) + 1
        # Of fewer distinct rows the spectrum says nothing: each of them is a cluster.
        few = n_distinct < self.n_clusters
        self.labels_ = equal if few else self._labels(maps, rng)
        self.affinity_matrix_, self.embedding_ = A, maps
        told = told_of_few(self, self._told(), self.labels_, int(self.n_clusters))
        self.fit_report_ = check.report(self, told)
        return self

    def fit_predict(self, X: Any, y: Any = None) -> Array:
        """Fit, and return the labels of the rows.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        return np.asarray(self.fit(X).labels_)

    def _check(self) -> None:
        check.params(
            self,
            count="n_clusters n_init n_neighbors",
            nonnegative="gamma degree",
            one_of={
                "eigen_solver": (None, "arpack", "lobpcg"),
                "assign_labels": ("kmeans", "discretize", "cluster_qr"),
            },
        )
        if self.n_components is not None:
            check.params(self, count="n_components")
        if not (isinstance(self.eigen_tol, str) and self.eigen_tol == "auto"):
            check.params(self, nonnegative="eigen_tol")
        if not isinstance(self.coef0, int | float | np.number):
            raise check.fail(self, "coef0", "a number", self.coef0)
        if self.kernel_params is not None and not isinstance(self.kernel_params, dict):
            raise check.fail(self, "kernel_params", "a dict or None", self.kernel_params)
        kind = self.affinity
        if not (isinstance(kind, str) and kind in _NAMES) and not callable(kind):
            need = f"a kernel, a callable or one of {', '.join(map(repr, _NAMES))}"
            raise check.fail(self, "affinity", need, kind)

    def _graph(self, X: Any) -> Any:
        kind, n = self.affinity, X.shape[0]
        if isinstance(kind, str) and kind.startswith("precomputed") and X.shape[1] != n:
            raise check.fail(self, "X", "square for a precomputed affinity", f"shape {X.shape}")
        if isinstance(kind, str) and kind == "precomputed":
            A = check_symmetric(csr_array(X) if issparse(X) else np.asarray(X))
        elif isinstance(kind, str) and kind in _GRAPHS:
            near = min(int(self.n_neighbors), n)
            if kind == "nearest_neighbors":
                graph = kneighbors_graph(X, near, include_self=True, n_jobs=self.n_jobs)
            else:
                model = NearestNeighbors(n_neighbors=near, metric="precomputed").fit(X)
                graph = model.kneighbors_graph(X, mode="connectivity")
            A = csr_array(0.5 * (graph + graph.T))
        elif isinstance(kind, Kernel):
            A = kind(X)
        elif isinstance(kind, str) and kind == "rbf" and self.kernel_params is None:
            A = gaussian_affinity(X, float(self.gamma))
        else:
            A = pairwise_kernels(X, metric=kind, filter_params=True, **self._kernel_params())
        A = A if issparse(A) else np.asarray(A)
        least = np.min(A.data, initial=0.0) if issparse(A) else np.min(A)
        if least < 0 and -least > 1e-9 * abs(A).max() and not self._signed():
            raise check.fail(self, "affinity", "similarities of at least 0", float(least))
        return A

    def _signed(self) -> bool:
        """Whether the kernel asked for may be negative: its graph is taken as it is."""
        return callable(self.affinity) or self.affinity not in _GRAPHS

    def _kernel_params(self) -> dict[str, Any]:
        params = dict(self.kernel_params or {})
        if not callable(self.affinity):
            params |= {"gamma": self.gamma, "degree": self.degree, "coef0": self.coef0}
        return params

    def _labels(self, maps: Any, rng: np.random.Generator) -> Indices:
        if self.assign_labels == "cluster_qr":
            return labels_by_qr(maps)
        if self.assign_labels == "discretize":
            return labels_by_rotation(maps, rng)
        model = KMeans(
            int(self.n_clusters), n_init=int(self.n_init), random_state=rng,
            verbose=int(self.verbose),
        )  # fmt: skip
        return np.asarray(model.fit_predict(maps))

    def _told(self) -> Solution:
        return Solution(
            np.empty(0), Status.CONVERGED, 0, normalised_cut(self.affinity_matrix_, self.labels_),
            {}, solver=f"eigenvectors, labels by {self.assign_labels}",
        )  # fmt: skip

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.pairwise = self.affinity in ("precomputed", "precomputed_nearest_neighbors")
        return tags


def normalised_cut(A: Any, label: Array) -> float:
    """Sum over the clusters of the weight of edges that leave, over the weight of all edges.

    Edges from a row to itself do not count.

    Examples
    --------
    >>> import numpy as np
    >>> A = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0.0]])
    >>> normalised_cut(A, np.array([0, 0, 1]))
    1.3333333333333333
    """
    hot = (label[:, None] == np.unique(label)).astype(np.float64)
    near = np.asarray(A @ hot) - np.asarray(A.diagonal())[:, None] * hot
    inside, volume = (hot * near).sum(axis=0), hot.T @ near.sum(axis=1)
    some = volume > 0
    return float(((volume[some] - inside[some]) / volume[some]).sum())
