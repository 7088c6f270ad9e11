"""Laplacian eigenmaps."""

import importlib.util
from typing import Any, Self

import numpy as np
from scipy.sparse import csr_array, issparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_symmetric

from margin.core import Card, Certificate, Solution, Status, atomic, check, random
from margin.core.types import Array
from margin.decomposition.manifold._affinity import given_neighbours, neighbour_graph
from margin.decomposition.manifold._laplacian_map import LaplacianMap, laplacian_map
from margin.kernels import gaussian_affinity

_NAMES = ("nearest_neighbors", "precomputed", "precomputed_nearest_neighbors", "rbf")


class SpectralEmbedding(BaseEstimator):
    r"""Laplacian eigenmaps: neighbours stay neighbours (decomposition.14).

    .. math:: \min_Z \tfrac12 \sum_{ij} A_{ij} \|z_i - z_j\|^2 \quad \text{s.t.} \quad
              Z^\top D Z = I, \; Z^\top D 1 = 0

    with the degrees :math:`D = \mathrm{diag}(A 1)` of a graph of similar rows: the smoothest
    functions on the graph after the constant one.

    Parameters
    ----------
    n_components : int, default=2
        Dimensions of the map.
    affinity : str or callable, default="nearest_neighbors"
        Graph: "nearest_neighbors", "rbf", "precomputed" (a matrix of similarities, averaged
        with its transpose, with a warning, where it is not symmetric),
        "precomputed_nearest_neighbors" (a sparse matrix of distances), or a function of the rows.
    gamma : float, optional
        Coefficient of "rbf"; one over the features by default.
    random_state : int, Generator, RandomState or None, default=None
        Where the first vector of Lanczos iterations comes from; without effect beyond rounding.
    eigen_solver : {"arpack", "lobpcg", "amg"}, optional
        Without effect, for scikit-learn's namesake: dense problems are solved by LAPACK, sparse
        ones by Lanczos iterations on the inverse.
    eigen_tol : float or "auto", default="auto"
        Without effect, for scikit-learn's namesake: the report has the residual.
    n_neighbors : int, optional
        Neighbours of a row, itself among them; a tenth of the rows by default.
    n_jobs : int, optional
        Threads of the search for neighbours, all by default.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The map.
    affinity_matrix_ : ndarray or sparse matrix of shape (n_samples, n_samples)
        The graph :math:`A`.
    eigenvalues_ : ndarray of shape (n_components,)
        Of the normalised Laplacian, rising; zero for every further part of the graph.
    n_parts_ : int
        Parts of the graph without an edge between them.
    n_neighbors_ : int
        Neighbours of a row, where they make the graph.
    fit_report_ : FitReport
        Sum of the eigenvalues, and the largest residual as certificate.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n \log n)` for a sparse graph of few columns and its factorisation, :math:`O(n^3)` for
    a dense one.

    References
    ----------
    M. Belkin and P. Niyogi, Laplacian eigenmaps for dimensionality reduction (2003).

    Examples
    --------
    The middle of a chain is where its smoothest function changes sign.

    >>> import numpy as np
    >>> from margin.decomposition import SpectralEmbedding
    >>> chain = np.arange(8.0)[:, None]
    >>> Z = SpectralEmbedding(1, n_neighbors=3).fit_transform(chain)
    >>> np.flatnonzero(np.diff(np.sign(Z[:, 0])))
    array([3])
    """

    card = Card(tasks=("transform",), cost="quadratic", max_rows=20_000)

    def __init__(
        self,
        n_components: int = 2,
        *,
        affinity: Any = "nearest_neighbors",
        gamma: float | None = None,
        random_state: Any = None,
        eigen_solver: str | None = None,
        eigen_tol: Any = "auto",
        n_neighbors: int | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_components = n_components
        self.affinity = affinity
        self.gamma = gamma
        self.random_state = random_state
        self.eigen_solver = eigen_solver
        self.eigen_tol = eigen_tol
        self.n_neighbors = n_neighbors
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None) -> Self:
        """Make the map.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
            Rows, or the graph with a precomputed affinity.
        y : None
            Without effect, for pipelines.

        Returns
        -------
        self
        """
        self._check_params()
        X = check.validated(
            self,
            check.structure(self, X),
            accept_sparse="csr",
            dtype=check.FLOATS,
            ensure_min_samples=2,
        )
        A = self._graph(X)
        k = int(self.n_components)
        if k >= X.shape[0]:
            raise check.fail(self, "n_components", f"below the {X.shape[0]} samples", k)
        laplacian = laplacian_map(A, k + 1, random.generator(self.random_state))
        self._keep(A)
        self.n_parts_ = laplacian.n_parts
        self.embedding_ = laplacian.functions[:, 1:].astype(X.dtype)
        self.eigenvalues_ = laplacian.values[1:]
        n_parts = laplacian.n_parts
        parts = f"the graph falls into {n_parts} parts, which the first coordinates tell apart"
        self.fit_report_ = check.report(self, _told(laplacian), (parts,) if n_parts > 1 else ())
        return self

    def _keep(self, A: Any) -> None:
        # Plain arrays, which every store of models trusts.
        sparse = issparse(A)
        A = A.tocsr() if sparse else np.asarray(A)
        self._affinity = (A.data, A.indices, A.indptr) if sparse else (A,)

    @property
    def affinity_matrix_(self) -> Any:
        """The graph."""
        if not hasattr(self, "_affinity"):
            raise AttributeError("affinity_matrix_")
        if len(self._affinity) == 1:
            return self._affinity[0]
        n = len(self.embedding_)
        return csr_array(self._affinity, shape=(n, n))

    def _check_params(self) -> None:
        check.params(
            self,
            count="n_components",
            one_of={"eigen_solver": (None, "arpack", "lobpcg", "amg")},
        )
        if not callable(self.affinity) and not (
            isinstance(self.affinity, str) and self.affinity in _NAMES
        ):
            names = ", ".join(map(repr, _NAMES))
            raise check.fail(self, "affinity", f"a callable or one of {names}", self.affinity)
        if self.gamma is not None:
            check.params(self, nonnegative="gamma")
        if self.n_neighbors is not None:
            check.params(self, count="n_neighbors")
        if not (isinstance(self.eigen_tol, str) and self.eigen_tol == "auto"):
            check.params(self, nonnegative="eigen_tol")
        if self.eigen_solver == "amg" and importlib.util.find_spec("pyamg") is None:
            raise ValueError(
                "SpectralEmbedding: The eigen_solver was set to 'amg', but pyamg is not available."
            )

    def _graph(self, X: Any) -> Any:
        if callable(self.affinity):
            return self.affinity(X)
        if self.affinity == "rbf":
            gamma = 1.0 / X.shape[1] if self.gamma is None else float(self.gamma)
            return gaussian_affinity(X, gamma)
        if self.affinity == "precomputed":
            if X.shape[0] != X.shape[1]:
                raise check.fail(self, "X", "a square matrix of similarities", f"shape {X.shape}")
            return check_symmetric(X)
        n = X.shape[0]
        self.n_neighbors_ = max(int(n / 10), 1) if self.n_neighbors is None else self.n_neighbors
        if self.n_neighbors_ > n:
            raise check.fail(self, "n_neighbors", f"at most the {n} samples", self.n_neighbors_)
        if self.affinity == "precomputed_nearest_neighbors":
            return given_neighbours(X, int(self.n_neighbors_)).astype(X.dtype)
        return neighbour_graph(X, int(self.n_neighbors_), self.n_jobs).astype(X.dtype)

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """Fit, and the map.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features) or (n_samples, n_samples)
        y : None
            Without effect, for pipelines.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        return self.fit(X).embedding_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        given = isinstance(self.affinity, str) and self.affinity.startswith("precomputed")
        tags.input_tags.pairwise = given
        return tags


def _told(laplacian: LaplacianMap) -> Solution:
    return Solution(
        x=np.empty(0),
        status=Status.CONVERGED,
        n_iter=1,
        objective=float(laplacian.values.sum()),
        certificate=Certificate("residual", laplacian.residual, max(1e-3, laplacian.residual)),
        solver="eigenvectors of the Laplacian",
    )
