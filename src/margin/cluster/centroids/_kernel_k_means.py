"""k-means in the feature space of a kernel."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted

from margin.cluster.centroids._alternation import Assigned, alternate, filled
from margin.cluster.centroids._restarts import best_of, told_of_few
from margin.cluster.seeding._starts import too_few
from margin.core import Card, Solution, atomic, check, random
from margin.core.types import Array, Floats
from margin.kernels import Kernel, resolve

NAMED = ("linear", "poly", "rbf", "sigmoid", "cosine", "laplacian", "precomputed")


class KernelKMeans(ClusterMixin, BaseEstimator):
    r"""k-means with the distances of a kernel's feature space (cluster.11).

    The mean of a cluster is never formed; with :math:`W_c = \sum_{j \in c} w_j`

    .. math:: \|\phi(x) - \mu_c\|^2 = k(x, x) - \tfrac{2}{W_c} \sum_{j \in c} w_j k(x, x_j)
              + \tfrac{1}{W_c^2} \sum_{i, j \in c} w_i w_j k(x_i, x_j) .

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    kernel : str, Kernel or callable, default="rbf"
        A name known to scikit-learn, ``"precomputed"``, or a kernel of :mod:`margin.kernels`.
    gamma : float, "scale", "auto" or None, default=None
        Of the named kernels.
    degree : int, default=3
        Of the polynomial kernel.
    coef0 : float, default=1.0
        Of the polynomial and the sigmoid kernel.
    n_init : int, default=5
        Random partitions to start from, of which the best end is kept.
    max_iter : int, default=300
        Most iterations of a start.
    random_state : int, Generator, RandomState or None, default=None
        For the starts.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row.
    inertia_ : float
        The weighted sum of squared distances in feature space.
    n_iter_ : int
        Iterations of the best start.
    fit_report_ : FitReport
        Trace of the sum, restarted empty clusters.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n^2)` memory and time per iteration. With the linear kernel it is k-means.

    References
    ----------
    I. Dhillon, Y. Guan, B. Kulis, Kernel k-means: spectral clustering and normalized cuts, KDD
    (2004).

    Examples
    --------
    >>> from margin.cluster import KernelKMeans
    >>> X = [[0.0], [1.0], [10.0], [11.0]]
    >>> model = KernelKMeans(n_clusters=2, kernel="linear", random_state=0).fit(X)
    >>> round(model.inertia_, 9)
    1.0
    """

    card = Card(
        tasks=("clustering",), cost="quadratic", search_space={"n_clusters": [2, 5]},
        max_rows=20_000,
    )  # fmt: skip

    def __init__(
        self,
        *,
        n_clusters: int = 8,
        kernel: Any = "rbf",
        gamma: Any = None,
        degree: int = 3,
        coef0: float = 1.0,
        n_init: int = 5,
        max_iter: int = 300,
        random_state: Any = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the clusters.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Or the kernel matrix.
        y : None
            Without effect, for pipelines.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts.

        Returns
        -------
        self
        """
        self._check()
        X = check.table(self, X, order="C", reset=True)
        weight = check.weights(self, sample_weight, X.shape[0])
        n, k = X.shape[0], int(self.n_clusters)
        too_few(self, n, k)
        kernel = self._resolved(X)
        if kernel is None and X.shape[1] != n:
            raise check.fail(self, "X", "a square kernel matrix", f"shape {X.shape}")
        K = np.asarray(X if kernel is None else kernel(X), dtype=np.float64)
        w = np.ones(n) if weight is None else weight
        rng = random.generator(self.random_state)

        def update(assigned: Assigned, at: Floats) -> tuple[Floats, tuple[str, ...]]:
            label, mended = filled(assigned, k, weight, 1e-12 * float(np.abs(K.diagonal()).max()))
            return _shares(label, w, k), mended

        def climb(start: Floats) -> Solution:
            return alternate(
                lambda at: _assigned(K, K.diagonal(), at, _norms(K, at)), update, start, weight,
                max_iter=int(self.max_iter), solver="kernel Lloyd",
            )  # fmt: skip

        def draw() -> Floats:
            return _shares(_nearest_seeds(K, k, w, rng), w, k)

        solution = best_of(climb, draw, int(self.n_init))
        assigned, shares = solution.extras["assigned"], solution.x
        self.labels_, self.n_iter_ = assigned.label, int(solution.n_iter)
        self.inertia_ = float(solution.objective)
        self._shares, self._norms = shares, _norms(K, shares)
        self._rows, self._kernel = (None if kernel is None else X), kernel
        solution = told_of_few(self, solution, assigned.label, k)
        self.fit_report_ = check.report(self, solution)
        return self

    def _check(self) -> None:
        kernel, gamma = self.kernel, self.gamma
        named = isinstance(kernel, str) and kernel in NAMED
        if not named and not isinstance(kernel, Kernel) and not callable(kernel):
            need = f"a Kernel, a function or one of {', '.join(map(repr, NAMED))}"
            raise check.fail(self, "kernel", need, kernel)
        if gamma is not None and not (isinstance(gamma, str) and gamma in ("scale", "auto")):
            real = isinstance(gamma, int | float | np.number) and not isinstance(gamma, bool)
            if not real or not 0 < gamma < np.inf:
                need = "a number above 0, 'scale', 'auto' or None"
                raise check.fail(self, "gamma", need, gamma)
        check.params(self, count="n_clusters degree n_init max_iter", nonnegative="coef0")

    def _resolved(self, X: Array) -> Kernel | None:
        return resolve(
            self.kernel, gamma=self.gamma, degree=int(self.degree), coef0=float(self.coef0), X=X
        )

    def predict(self, X: Any) -> Array:
        """The nearest cluster of every row.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Or the kernel of new rows with those of the fit.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        X = check.table(self, X, order="C")
        K = np.asarray(X if self._kernel is None else self._kernel(X, self._rows), dtype=np.float64)
        return _assigned(K, np.zeros(len(K)), self._shares, self._norms).label

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = isinstance(self.kernel, str) and self.kernel == "precomputed"
        return tags


def _shares(label: Array, weight: Floats, k: int) -> Floats:
    """Share of every row in the mean of every cluster, of shape (k, n); zeros where empty."""
    shares = np.zeros((k, len(label)))
    shares[label, np.arange(len(label))] = weight
    total = shares.sum(axis=1, keepdims=True)
    return np.asarray(shares / np.where(total > 0, total, 1.0))


def _norms(K: Floats, shares: Floats) -> Floats:
    """Squared lengths of the means; infinite for a cluster without rows."""
    norms = np.einsum("ci,ci->c", shares @ K, shares)
    return np.where(shares.any(axis=1), norms, np.inf)


def _assigned(K: Floats, own: Floats, shares: Floats, norms: Floats) -> Assigned:
    D = norms - 2.0 * np.einsum("ij,cj->ic", K, shares, optimize=len(K) > 64)
    label = D.argmin(axis=1).astype(np.int32)
    return Assigned(label, np.maximum(own + D[np.arange(len(D)), label], 0.0))


def _nearest_seeds(K: Floats, k: int, weight: Floats, rng: np.random.Generator) -> Array:
    """Labels by the nearest of rows that are drawn far apart in feature space."""
    own = K.diagonal()
    least, label = np.full(len(K), np.inf), np.zeros(len(K), dtype=np.int32)
    mass = weight
    for c in range(k):
        total = np.cumsum(mass)
        if not total[-1] > 0:
            total = np.cumsum(np.ones(len(K)))
        row = int(np.searchsorted(total, rng.random() * total[-1], side="right"))
        away = np.maximum(own + own[row] - 2.0 * K[row], 0.0)
        nearer = away < least
        label[nearer], least = c, np.minimum(least, away)
        mass = weight * least
    return label
