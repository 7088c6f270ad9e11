"""Graphs of neighbours by one call."""

from typing import Any

from margin.neighbors.models._k_neighbors import KNeighborsMixin
from margin.neighbors.models._nearest_neighbors import NearestNeighbors
from margin.neighbors.models._radius_neighbors import RadiusNeighborsMixin


def kneighbors_graph(
    X: Any,
    n_neighbors: int,
    *,
    mode: str = "connectivity",
    metric: Any = "minkowski",
    p: float = 2,
    metric_params: dict[str, Any] | None = None,
    include_self: Any = False,
    n_jobs: int | None = None,
) -> Any:
    """Sparse matrix of the nearest rows of every row (neighbors.01).

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), or a fitted estimator over neighbours
        Whose rows are searched.
    n_neighbors : int
        How many neighbours each row has.
    mode : {"connectivity", "distance"}, default="connectivity"
        Ones, or distances.
    metric : str, callable or Kernel, default="minkowski"
        As for :class:`NearestNeighbors`.
    p : float, default=2
        Power of the Minkowski distance.
    metric_params : dict, optional
        Further parameters of the metric.
    include_self : bool or "auto", default=False
        Whether a row is its own first neighbour; ``"auto"`` for ones only.
    n_jobs : int, optional
        Threads that share the rows.

    Returns
    -------
    sparse matrix of shape (n_samples, n_samples), in CSR format

    Examples
    --------
    >>> from margin.neighbors import kneighbors_graph
    >>> kneighbors_graph([[0.0], [3.0], [1.0]], 1).toarray()
    array([[0., 0., 1.],
           [0., 0., 1.],
           [1., 0., 0.]])
    """
    if not isinstance(X, KNeighborsMixin):
        model: Any = NearestNeighbors(
            n_neighbors=n_neighbors, metric=metric, p=p, metric_params=metric_params, n_jobs=n_jobs
        )
        X = model.fit(X)
    else:
        _check_same(X, metric=metric, p=p, metric_params=metric_params)
    return X.kneighbors_graph(_queries(X, include_self, mode), n_neighbors, mode)


def radius_neighbors_graph(
    X: Any,
    radius: float,
    *,
    mode: str = "connectivity",
    metric: Any = "minkowski",
    p: float = 2,
    metric_params: dict[str, Any] | None = None,
    include_self: Any = False,
    n_jobs: int | None = None,
) -> Any:
    """Sparse matrix of the rows within a distance of every row (neighbors.01).

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features), or a fitted estimator over neighbours
        Whose rows are searched.
    radius : float
        How far neighbours may be.
    mode : {"connectivity", "distance"}, default="connectivity"
        Ones, or distances.
    metric : str, callable or Kernel, default="minkowski"
        As for :class:`NearestNeighbors`.
    p : float, default=2
        Power of the Minkowski distance.
    metric_params : dict, optional
        Further parameters of the metric.
    include_self : bool or "auto", default=False
        Whether a row is its own neighbour; ``"auto"`` for ones only.
    n_jobs : int, optional
        Threads that share the rows.

    Returns
    -------
    sparse matrix of shape (n_samples, n_samples), in CSR format

    Examples
    --------
    >>> from margin.neighbors import radius_neighbors_graph
    >>> radius_neighbors_graph([[0.0], [3.0], [1.0]], 1.5, mode="distance").toarray()
    array([[0., 0., 1.],
           [0., 0., 0.],
           [1., 0., 0.]])
    """
    if not isinstance(X, RadiusNeighborsMixin):
        model: Any = NearestNeighbors(
            radius=radius, metric=metric, p=p, metric_params=metric_params, n_jobs=n_jobs
        )
        X = model.fit(X)
    else:
        _check_same(X, metric=metric, p=p, metric_params=metric_params)
    return X.radius_neighbors_graph(_queries(X, include_self, mode), radius, mode)


def _check_same(model: Any, **asked: Any) -> None:
    """Refuse an estimator fitted with other parameters than those asked for."""
    own = model.get_params(deep=False)
    for name, value in asked.items():
        if value != own[name]:
            raise ValueError(f"Got {value} for {name}, while the estimator has {own[name]} for it")


def _queries(model: Any, include_self: Any, mode: str) -> Any:
    """The rows as queries if they may be their own neighbours, else None."""
    own = mode == "connectivity" if include_self == "auto" else include_self
    return model._points.X if own else None
