"""Classical multidimensional scaling."""

from typing import Any, Self

import numpy as np
from scipy.linalg import eigh
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin

from margin import linalg
from margin.core import Card, atomic, check
from margin.core.types import Array, Floats
from margin.decomposition._closed_form import closed_form
from margin.decomposition.manifold._dissimilarities import check_metric, dissimilarities


class ClassicalMDS(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""Points whose scalar products are nearest to those that distances imply (decomposition.13).

    .. math:: B = -\tfrac12 C D^{(2)} C = V \Lambda V^\top, \qquad Z = V_k \Lambda_k^{1/2}

    with the centring matrix :math:`C`. Euclidean distances of points in ``n_components``
    dimensions are reproduced exactly; for Euclidean distances it is principal component analysis.

    Parameters
    ----------
    n_components : int, default=2
        Dimensions of the map.
    metric : str or callable, default="euclidean"
        Distance of rows; ``"precomputed"`` takes a matrix of them.
    metric_params : dict, optional
        Further parameters of the metric.

    Attributes
    ----------
    embedding_ : ndarray of shape (n_samples, n_components)
        The map; a dimension without a positive eigenvalue is zero.
    dissimilarity_matrix_ : ndarray of shape (n_samples, n_samples)
        Distances.
    eigenvalues_ : ndarray of shape (n_components,)
        Largest eigenvalues of :math:`B`, at least zero.
    negative_share_ : float
        Share of the negative eigenvalues in the sum of their absolute values: zero where the
        distances are Euclidean.
    fit_report_ : FitReport
        Squared error of the scalar products, over their squares.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n^3)` time, :math:`O(n^2)` memory; Euclidean distances of rows with few columns
    :math:`p` take :math:`O(n^2 p)`. ``transform`` places further rows by Gower's formula, which
    gives the rows of the fit their own places.

    References
    ----------
    W. Torgerson (1952); J. Gower, Adding a point to vector diagrams (1968).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.decomposition import ClassicalMDS
    >>> D = np.array([[0.0, 3, 4], [3, 0, 5], [4, 5, 0]])
    >>> Z = ClassicalMDS(metric="precomputed").fit_transform(D)
    >>> round(float(np.linalg.norm(Z[1] - Z[2])), 6)
    5.0
    """

    card = Card(tasks=("transform",), cost="cubic", max_rows=5_000)

    def __init__(
        self,
        n_components: int = 2,
        *,
        metric: Any = "euclidean",
        metric_params: dict[str, Any] | None = None,
    ) -> None:
        self.n_components = n_components
        self.metric = metric
        self.metric_params = metric_params

    @atomic
    def fit(self, X: Any, y: Any = None) -> Self:
        """Make the map.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
            Rows, or distances with ``metric="precomputed"``.
        y : None
            Without effect, for pipelines.

        Returns
        -------
        self
        """
        check.params(self, count="n_components")
        check_metric(self)
        X = check.table(self, X, reset=True)
        D = dissimilarities(self, X, self.metric, self.metric_params)
        k, n = int(self.n_components), len(D)
        if k > n:
            raise check.fail(self, "n_components", f"at most the {n} samples", k)
        self.dissimilarity_matrix_ = D
        squares = self._squared(D, X)
        spanned = self._euclidean and 4 * X.shape[1] <= n
        pairs = row_pairs(X.astype(np.float64)) if spanned else distance_pairs(D)
        self.embedding_, values, vectors = classical_map(pairs, k)
        self.embedding_ = self.embedding_.astype(X.dtype, copy=False)
        self.eigenvalues_ = np.maximum(values[:k], 0.0)
        total = float(np.abs(values).sum()) or 1.0
        self.negative_share_ = float(-values[values < 0].sum()) / total
        self._rows = None if self._given else np.array(X, order="C")
        self._axes, self._squares = np.array(vectors, order="C"), squares.mean(axis=0)
        self._n_features_out = k
        lost = float((values**2).sum() - (self.eigenvalues_**2).sum())
        told = closed_form(lost / (float((values**2).sum()) or 1.0), "eigenvectors")
        self.fit_report_ = check.report(self, told)
        return self

    @property
    def _euclidean(self) -> bool:
        named = isinstance(self.metric, str) and self.metric in ("euclidean", "l2")
        return named and not self.metric_params

    @property
    def _given(self) -> bool:
        return isinstance(self.metric, str) and self.metric == "precomputed"

    def transform(self, X: Any) -> Array:
        """Places of rows among those of the fit.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features) or (n_queries, n_samples)
            Rows, or distances to the rows of the fit with ``metric="precomputed"``.

        Returns
        -------
        ndarray of shape (n_queries, n_components)
        """
        X = check.table(self, X)
        others = self.embedding_ if self._given else self._rows
        D = dissimilarities(self, X, self.metric, self.metric_params, others)
        away = self._squared(D, X) - self._squares
        return np.asarray((-0.5 * away @ self._axes).astype(X.dtype))

    def _squared(self, D: Floats, X: Array) -> Floats:
        """Squares of distances, refused where they are no numbers."""
        with np.errstate(over="ignore"):
            squares = D**2
        if not np.isfinite(squares).all():
            need = "of rows whose squared distances are finite numbers"
            raise check.fail(self, "X", need, f"values up to {float(np.abs(X).max()):.3g}")
        return np.asarray(squares)

    def fit_transform(self, X: Any, y: Any = None) -> Array:
        """Fit, and the map.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features) or (n_samples, n_samples)
        y : None
            Without effect, for pipelines.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        return self.fit(X).embedding_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._given
        tags.input_tags.positive_only = self._given
        return tags


Pairs = tuple[Floats, Floats]


def distance_pairs(D: Floats) -> Pairs:
    """All eigenvalues of the scalar products that distances imply, largest first, and vectors.

    Examples
    --------
    >>> distance_pairs(np.array([[0.0, 2.0], [2.0, 0.0]]))[0].round(12)
    array([2., 0.])
    """
    values, vectors = eigh(linalg.double_centred(-0.5 * D**2))
    return values[::-1], vectors[:, ::-1]


def row_pairs(X: Floats) -> Pairs:
    """The same of rows under the Euclidean distance, with vectors of as many as may be positive.

    The scalar products of centred rows have their singular values and vectors.

    Examples
    --------
    >>> row_pairs(np.array([[0.0], [2.0]]))[0].round(12)
    array([2., 0.])
    """
    left, sizes, _ = linalg.svd(X - linalg.weighted_means(X))
    values = np.zeros(len(X))
    values[: len(sizes)] = sizes**2
    return values, left


def classical_map(pairs: Pairs, n_components: int) -> tuple[Floats, Floats, Floats]:
    """The map, all eigenvalues, largest first, and what squared distances are multiplied by.

    Examples
    --------
    >>> classical_map(distance_pairs(np.array([[0.0, 2.0], [2.0, 0.0]])), 1)[0]
    array([[ 1.],
           [-1.]])
    """
    values = pairs[0]
    vectors = np.zeros((len(values), n_components))
    some = pairs[1][:, :n_components]
    vectors[:, : some.shape[1]] = some
    largest = vectors[np.abs(vectors).argmax(axis=0), np.arange(n_components)]
    vectors = vectors * np.where(largest < 0, -1.0, 1.0)
    kept = values[:n_components]
    least = len(values) * np.finfo(np.float64).eps * float(np.abs(values).max(initial=0.0))
    sizes = np.sqrt(np.where(kept > least, kept, 0.0))
    inverse = np.divide(1.0, sizes, out=np.zeros_like(sizes), where=sizes > 0)
    return vectors * sizes, values, vectors * inverse
