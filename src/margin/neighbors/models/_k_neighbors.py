"""The nearest few of every query: answers that several estimators give."""

from abc import ABC
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.neighbors._base import KNeighborsMixin as Known

from margin.core import check, objects, threads
from margin.core.types import Floats, Indices
from margin.neighbors.models._search_base import NeighborsBase


class KNeighborsMixin(NeighborsBase, Known, ABC):
    """Estimators with ``kneighbors``, known to other libraries as such."""

    n_neighbors: int

    def kneighbors(
        self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True
    ) -> Any:
        """Nearest rows of each query, nearest first, equal distances by row.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features), optional
            Or distances of shape (n_queries, n_indexed) for the metric ``"precomputed"``. Without
            it the rows of the fit, each of which is then not its own neighbour.
        n_neighbors : int, optional
            How many; that of the constructor by default.
        return_distance : bool, default=True
            Whether distances come back too.

        Returns
        -------
        distances : ndarray of shape (n_queries, n_neighbors)
            Only with ``return_distance``.
        rows : ndarray of shape (n_queries, n_neighbors)
        """
        distance, number = self._nearest(X, n_neighbors)
        return (distance, number) if return_distance else number

    def kneighbors_graph(
        self, X: Any = None, n_neighbors: int | None = None, mode: str = "connectivity"
    ) -> Any:
        """Sparse matrix of the nearest rows of each query.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features), optional
            The rows of the fit by default, each of which is then not its own neighbour.
        n_neighbors : int, optional
            How many; that of the constructor by default.
        mode : {"connectivity", "distance"}, default="connectivity"
            Ones, or distances.

        Returns
        -------
        sparse matrix of shape (n_queries, n_samples_fit), in CSR format
        """
        check_mode(self, mode)
        distance, number = self._nearest(X, n_neighbors)
        values = np.ones(number.size) if mode == "connectivity" else distance.ravel()
        starts = np.arange(0, number.size + 1, number.shape[1])
        shape = (len(number), self._points.count)
        return csr_matrix((values, number.ravel(), starts), shape=shape)

    def _nearest(self, X: Any, n_neighbors: int | None = None) -> tuple[Floats, Indices]:
        Q = self._queries(X)
        k = self.n_neighbors if n_neighbors is None else n_neighbors
        self._check_count(k)
        most = self._points.count - (Q is None)
        if k > most:
            raise ValueError(
                f"{type(self).__name__}: Expected n_neighbors "
                f"{'<' if Q is None else '<='} n_samples_fit, but n_neighbors = {k}, "
                f"n_samples_fit = {self._points.count}, n_samples = {self._count(Q)}"
            )
        return self._points.nearest(Q, int(k), threads.count(self.n_jobs))

    def _check_enough(self, X: Any) -> None:
        """Refuse to learn from fewer rows than are asked to answer."""
        n = objects.count(X)
        if self.n_neighbors > n:
            wanted = f"at most n_samples = {n}, the number of samples"
            raise check.fail(self, "n_neighbors", wanted, self.n_neighbors)

    def _check_count(self, k: Any) -> None:
        if isinstance(k, bool) or not isinstance(k, int | np.integer):
            raise TypeError(
                f"{type(self).__name__}: n_neighbors does not take {type(k)} value, enter "
                f"integer value (must be an integer of at least 1), got {k!r}"
            )
        if k < 1:
            raise ValueError(
                f"{type(self).__name__}: n_neighbors must be an integer of at least 1 "
                f"(Expected n_neighbors > 0), got {k}"
            )


def check_mode(owner: object, mode: Any) -> None:
    """Refuse an unknown content of a graph."""
    if mode not in ("connectivity", "distance"):
        raise ValueError(
            f'{check.named(owner)}: Unsupported mode, must be one of "connectivity", or "distance" '
            f'but got "{mode}" instead'
        )
