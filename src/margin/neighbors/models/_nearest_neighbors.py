"""Search for neighbours without targets."""

from typing import Any, Self

from margin.core import atomic, check
from margin.neighbors.models._k_neighbors import KNeighborsMixin
from margin.neighbors.models._radius_neighbors import RadiusNeighborsMixin, check_radius


class NearestNeighbors(KNeighborsMixin, RadiusNeighborsMixin):
    r"""Exact search for the nearest rows, by any metric or kernel (neighbors.01).

    For a query :math:`q` the rows :math:`x_i` in the order of :math:`d(q, x_i)`, those at the same
    distance in the order of their numbers: whichever search is used, the answer is the same.

    Parameters
    ----------
    n_neighbors : int, default=5
        How many rows ``kneighbors`` gives.
    radius : float, default=1.0
        How far ``radius_neighbors`` looks.
    algorithm : {"auto", "brute", "kd_tree", "ball_tree"}, default="auto"
        ``"brute"`` compares with all rows, by products of matrices where the metric is Euclidean
        in some coordinates; trees rule out most rows where columns are few. ``"auto"`` takes the
        fastest and says why in ``search_reason_``.
    leaf_size : int, default=30
        Rows of a leaf of a tree, rounded up to blocks of 16; the answer does not depend on it.
    metric : str, callable or Kernel, default="minkowski"
        A name known to SciPy or scikit-learn, ``"precomputed"`` for distances in the place of
        rows, a function of two rows, or a kernel of :mod:`margin.kernels`, whose distance is
        :math:`\sqrt{k(x, x) - 2 k(x, z) + k(z, z)}`.
    p : float, default=2
        Power of the Minkowski distance.
    metric_params : dict, optional
        Further parameters of the metric: ``w``, ``V``, ``VI``.
    n_jobs : int, optional
        Threads that share the queries, all by default; the answer does not depend on it.

    Attributes
    ----------
    effective_metric_ : str, callable or Kernel
        The metric in its simplest terms: Minkowski of power two is Euclidean.
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

    Notes
    -----
    Products with all rows run in single precision with a bound on their rounding; the distances of
    the few rows that may be among the nearest are then computed anew in double precision.
    :math:`O(n p)` per query, of a tree about :math:`O(\log n)` while columns are few.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.neighbors import NearestNeighbors
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 3.0]])
    >>> search = NearestNeighbors(n_neighbors=2).fit(X)
    >>> search.kneighbors([[0.0, 1.0]])
    (array([[1.        , 1.41421356]]), array([[0, 1]]))
    >>> search.search_reason_
    '3 rows, too few for a tree to pay'
    """

    def __init__(
        self,
        *,
        n_neighbors: int = 5,
        radius: float = 1.0,
        algorithm: str = "auto",
        leaf_size: int = 30,
        metric: Any = "minkowski",
        p: float = 2,
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
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
            Or distances of shape (n_samples, n_samples) for the metric ``"precomputed"``.
        y : None
            Without effect, for pipelines.

        Returns
        -------
        self
        """
        self._check_search()
        if self.n_neighbors is not None:
            check.params(self, count="n_neighbors")
        if self.radius is not None:
            check_radius(self, self.radius)
        X, _ = self._training(X)
        self._keep(X)
        return self
