"""Metric and non-metric multidimensional scaling."""

import warnings
from typing import Any, Self

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import squareform
from sklearn.base import BaseEstimator

from margin.core import Card, Solution, atomic, check, random
from margin.core.types import Array, Floats
from margin.decomposition.manifold._classical_mds import classical_map, distance_pairs
from margin.decomposition.manifold._dissimilarities import check_metric, dissimilarities
from margin.decomposition.manifold._stress import StressProblem, least_stress


class MDS(BaseEstimator):
    r"""Points whose distances are like those given, metric or by rank (decomposition.13).

    .. math:: \min_Z \sum_{i < j} (\hat d_{ij} - \|z_i - z_j\|)^2

    where :math:`\hat d` are the distances given, or with ``metric_mds=False`` any rising function
    of them. NaN among given distances means unknown: such pairs are left out of the sum.

    Parameters
    ----------
    n_components : int, default=2
        Dimensions of the map.
    metric_mds : bool, default=True
        Whether distances themselves count, or their order only.
    n_init : int, default=1
        Random starts, of which the best map is kept; a given start is used once.
    init : {"classical_mds", "random"}, default="classical_mds"
        Start; unknown distances are then filled by shortest ways over known ones.
    max_iter : int, default=300
        Most iterations of a start.
    verbose : int, default=0
        Without effect, for scikit-learn's namesake: the report has the trace.
    eps : float, default=1e-6
        Gain of an iteration, as a part of the squared distances, that counts as converged.
    n_jobs : int, optional
        Without effect, for scikit-learn's namesake.
    random_state : int, Generator, RandomState or None, default=None
        Where random starts come from.
    dissimilarity : str, default="deprecated"
        The old name of ``metric``, as in scikit-learn.
    metric : str or callable, default="euclidean"
        Distance of rows; ``"precomputed"`` takes a matrix of them.
    metric_params : dict, optional
        Further parameters of the metric.
    normalized_stress : bool or "auto", default="auto"
        Whether ``stress_`` is divided by the squared distances of the map and its root taken;
        "auto" for non-metric scaling.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The map.
    stress_ : float
        The sum, or its normalised root.
    dissimilarity_matrix_ : ndarray of shape (n_samples, n_samples)
        Distances.
    n_iter_ : int
        Iterations of the best start.
    fit_report_ : FitReport
        The stress, which for metric scaling never rises; the certificate.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n^2)` an iteration and :math:`O(n^3)` for the start.

    References
    ----------
    I. Borg and P. Groenen, Modern Multidimensional Scaling (2005), chapters 8 and 9.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.decomposition import MDS
    >>> square = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
    >>> D = np.linalg.norm(square[:, None] - square, axis=2)
    >>> D[0, 3] = D[3, 0] = np.nan  # a diagonal that nobody measured
    >>> Z = MDS(metric="precomputed", eps=1e-12, max_iter=3000).fit_transform(D)
    >>> round(float(np.linalg.norm(Z[1] - Z[2])), 3)  # the other one
    1.414
    """

    card = Card(tasks=("transform",), cost="cubic", max_rows=3_000)
    nan_attributes = ("dissimilarity_matrix_",)

    def __init__(
        self,
        n_components: int = 2,
        *,
        metric_mds: bool = True,
        n_init: int = 1,
        init: str = "classical_mds",
        max_iter: int = 300,
        verbose: int = 0,
        eps: float = 1e-6,
        n_jobs: int | None = None,
        random_state: Any = None,
        dissimilarity: str = "deprecated",
        metric: Any = "euclidean",
        metric_params: dict[str, Any] | None = None,
        normalized_stress: Any = "auto",
    ) -> None:
        self.n_components = n_components
        self.metric_mds = metric_mds
        self.n_init = n_init
        self.init = init
        self.max_iter = max_iter
        self.verbose = verbose
        self.eps = eps
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.dissimilarity = dissimilarity
        self.metric = metric
        self.metric_params = metric_params
        self.normalized_stress = normalized_stress

    def fit(self, X: Any, y: Any = None, init: Any = None) -> Self:
        """Make the map.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
            Rows, or distances with ``metric="precomputed"``.
        y : None
            Without effect, for pipelines.
        init : array-like of shape (n_samples, n_components), optional
            The map to start from.

        Returns
        -------
        self
        """
        self.fit_transform(X, init=init)
        return self

    @atomic
    def fit_transform(self, X: Any, y: Any = None, init: Any = None) -> Array:
        """Fit, and the map.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
        y : None
            Without effect, for pipelines.
        init : array-like of shape (n_samples, n_components), optional
            The map to start from.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        self._check_params()
        metric, by_distance = self._meant()
        given = isinstance(metric, str) and metric == "precomputed"
        X = check.table(self, X, missing=given, reset=True)
        if X.shape[0] < 2:
            raise check.fail(self, "X", "of at least 2 samples", f"1 sample, n_samples = {len(X)}")
        D = dissimilarities(self, X, metric, self.metric_params)
        self.dissimilarity_matrix_ = D
        problem = self._problem(D, by_distance)
        settings: Any = {"tol": float(self.eps), "max_iter": int(self.max_iter)}
        starts = self._starts(D, init)
        best = min(
            (least_stress(problem, start, **settings) for start in starts),
            key=lambda s: s.objective,
        )
        self._store(best, by_distance, X.dtype)
        return self.embedding_

    def _check_params(self) -> None:
        check.params(
            self,
            count="n_components n_init max_iter",
            positive="eps",
            flag="metric_mds",
            one_of={
                "init": ("classical_mds", "random"),
                "normalized_stress": ("auto", True, False),
                "dissimilarity": ("deprecated", "euclidean", "precomputed"),
            },
        )
        check_metric(self)

    def _meant(self) -> tuple[Any, bool]:
        """The metric and the kind of scaling, by their present or their old names."""
        metric: Any = self.metric
        by_distance = bool(self.metric_mds)
        if isinstance(metric, bool):
            warnings.warn(f"Use metric_mds={metric} instead.", FutureWarning, stacklevel=4)
            by_distance, metric = metric, "euclidean"
        if self.dissimilarity != "deprecated":
            if metric != "euclidean":
                raise ValueError("MDS: You provided both `dissimilarity` and `metric`; use metric")
            text = "The `dissimilarity` parameter is deprecated; use metric"
            warnings.warn(text, FutureWarning, stacklevel=4)
            metric = self.dissimilarity
        return metric, by_distance

    def _problem(self, D: Floats, by_distance: bool) -> StressProblem:
        rows, columns = np.triu_indices(len(D), 1)
        target = D[rows, columns]
        unknown = np.isnan(target)
        if not unknown.any():
            return StressProblem(target, len(D), by_distance)
        seen = ~unknown
        parts = connected_components(csr_array(squareform(seen.astype(float))), directed=False)[0]
        if parts > 1:
            raise check.fail(
                self, "X", "distances that tie all rows together", f"{parts} groups without any"
            )
        return StressProblem(np.where(unknown, 0.0, target), len(D), by_distance, seen)

    def _starts(self, D: Floats, init: Any) -> list[Floats]:
        n, k = len(D), int(self.n_components)
        if init is not None:
            start = np.asarray(init, dtype=np.float64)
            if start.shape != (n, k):
                raise check.fail(self, "init", f"of shape {(n, k)}", start.shape)
            return [start]
        if self.init == "classical_mds":
            start = np.zeros((n, k))
            places = classical_map(distance_pairs(_filled(D)), min(n, k))[0]
            start[:, : places.shape[1]] = places
            return [start]
        rng = random.generator(self.random_state)
        return [rng.uniform(size=(n, k)) for _ in range(int(self.n_init))]

    def _store(self, best: Solution, by_distance: bool, dtype: Any) -> None:
        self.embedding_ = np.asarray(best.x).astype(dtype, copy=False)
        normal = self.normalized_stress
        normal = not by_distance if isinstance(normal, str) else normal
        size = best.extras["size"]
        root = float(np.sqrt(best.objective / size)) if size else 0.0
        self.stress_ = root if normal else best.objective
        self.n_iter_ = best.n_iter
        self.fit_report_ = check.report(self, best)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        given = "precomputed" in (self.metric, self.dissimilarity)
        tags.input_tags.pairwise = given
        tags.input_tags.allow_nan = given
        return tags


def _filled(D: Floats) -> Floats:
    """Unknown distances by the shortest way over known ones."""
    if not np.isnan(D).any():
        return D
    ways = np.where(np.isnan(D), np.inf, D)
    for j in range(len(ways)):
        ways = np.minimum(ways, ways[:, j, None] + ways[j])
    return ways
