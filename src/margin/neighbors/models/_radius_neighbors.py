"""All rows within a radius of every query: answers that several estimators give."""

from abc import ABC
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.neighbors._base import RadiusNeighborsMixin as Known

from margin.core import check, threads
from margin.neighbors.models._k_neighbors import check_mode
from margin.neighbors.models._search_base import NeighborsBase, vector_of
from margin.neighbors.search._ragged import Ragged


class RadiusNeighborsMixin(NeighborsBase, Known, ABC):
    """Estimators with ``radius_neighbors``, known to other libraries as such."""

    radius: float

    def radius_neighbors(
        self,
        X: Any = None,
        radius: Any = None,
        return_distance: bool = True,
        sort_results: bool = False,
    ) -> Any:
        """Rows within a distance of each query, the border included.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features), optional
            Or distances of shape (n_queries, n_indexed) for the metric ``"precomputed"``. Without
            it the rows of the fit, each of which is then not its own neighbour.
        radius : float or array of shape (n_queries,), optional
            That of the constructor by default.
        return_distance : bool, default=True
            Whether distances come back too.
        sort_results : bool, default=False
            Whether the nearest come first; else rows come in their order.

        Returns
        -------
        distances : ndarray of shape (n_queries,) of arrays
            Only with ``return_distance``.
        rows : ndarray of shape (n_queries,) of arrays
        """
        if sort_results and not return_distance:
            raise ValueError(
                f"{type(self).__name__}: return_distance must be True if sort_results is True."
            )
        near = self._within(X, radius)
        distance, number = (near if sort_results else near.by_number()).lists()
        return (distance, number) if return_distance else number

    def radius_neighbors_graph(
        self,
        X: Any = None,
        radius: Any = None,
        mode: str = "connectivity",
        sort_results: bool = False,
    ) -> Any:
        """Sparse matrix of the rows within a distance of each query.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features), optional
            The rows of the fit by default, each of which is then not its own neighbour.
        radius : float or array of shape (n_queries,), optional
            That of the constructor by default.
        mode : {"connectivity", "distance"}, default="connectivity"
            Ones, or distances.
        sort_results : bool, default=False
            Whether entries of a row of the matrix come nearest first.

        Returns
        -------
        sparse matrix of shape (n_queries, n_samples_fit), in CSR format
        """
        check_mode(self, mode)
        near = self._within(X, radius)
        near = near if sort_results else near.by_number()
        values = np.ones(len(near.number)) if mode == "connectivity" else near.distance
        shape = (len(near.offsets) - 1, self._points.count)
        return csr_matrix((values, near.number, near.offsets), shape=shape)

    def _within(self, X: Any, radius: Any = None) -> Ragged:
        Q = self._queries(X)
        limit = self.radius if radius is None else radius
        check_radius(self, limit)
        radii = vector_of(limit, self._count(Q))
        return self._points.within(Q, radii, threads.count(self.n_jobs))


def check_radius(owner: object, radius: Any) -> None:
    """Refuse a radius that is no number of at least zero, nor an array of them."""
    if isinstance(radius, np.ndarray) and radius.ndim == 1 and radius.dtype.kind in "iuf":
        if np.all(radius >= 0):
            return
        radius = float(radius.min())
    real = isinstance(radius, int | float | np.number) and not isinstance(radius, bool)
    if not real or not radius >= 0:
        raise check.fail(owner, "radius", "a number of at least 0", radius)
