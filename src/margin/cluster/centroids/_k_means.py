"""k-means."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from scipy.sparse import issparse

from margin.cluster.centroids._block_model import read_blocks
from margin.cluster.centroids._centre_model import CentreModel
from margin.cluster.centroids._restarts import (
    Speaker,
    as_given,
    best_of,
    mean_variance,
    n_starts,
    told_of_few,
)
from margin.cluster.seeding._starts import check_init, starts, too_few
from margin.core import Card, Solution, atomic, check, random, threads
from margin.core.types import Array, Floats
from margin.inference import Lloyd, Rows, pass_over, rows_of
from margin.native.cluster.centres import Pass

ALGORITHMS = ("lloyd", "elkan", "hamerly", "auto")


class KMeans(CentreModel):
    r"""Clusters around means, by the sum of squared errors (cluster.01, cluster.02, cluster.03).

    .. math:: \min_{c, \mu} \sum_i w_i \|x_i - \mu_{c(i)}\|^2

    Labels and means take turns, and neither raises the sum, which is checked at every step. The
    minimum is a local one: several starts help.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    init : str, callable or array, default="k-means++"
        One of ``"k-means++"``, ``"random"``, ``"first"``, ``"partition"``, ``"farthest"``.
        Starting centres: rows drawn far apart, rows drawn by weight, the first rows, the means of
        a random partition, rows each farthest from those before, ``init(X, n_clusters,
        random_state=…)``, or the centres themselves.
    n_init : "auto" or int, default="auto"
        Starts, of which the best is kept; ``"auto"`` is 1 for ``"k-means++"``, ``"first"`` and
        given centres, else 10.
    max_iter : int, default=300
        Most iterations of a start.
    tol : float, default=1e-4
        The search ends when the squared moves of the centres add up to ``tol`` times the mean
        variance of the columns; with 0 when no label changes.
    verbose : int, default=0
        Whether to print every iteration.
    random_state : int, Generator, RandomState or None, default=None
        For the starts.
    copy_x : bool, default=True
        Without effect: the table is never written to.
    algorithm : {"lloyd", "elkan", "hamerly", "auto"}, default="lloyd"
        Which comparisons are spared by bounds on distances. The answer is the same.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        The means.
    labels_ : ndarray of shape (n_samples,)
        The nearest centre of each row.
    inertia_ : float
        The weighted sum of squared errors.
    n_iter_ : int
        Iterations of the best start.
    fit_report_ : FitReport
        Trace of the sum, how many rows changed their label, restarted empty clusters.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n k p)` per iteration and :math:`O(n p)` memory: never a table of all distances.
    Products run in single precision with a bound on their rounding; what the bound leaves open is
    decided in double precision, so that labels are exact. Columns of different units want scaling
    first. Missing values are refused: k-means has no density to integrate over; impute first, or
    fit a Gaussian mixture.

    References
    ----------
    S. Lloyd, Least squares quantization in PCM, IEEE Trans. Inf. Theory 28 (1982).
    G. Hamerly, Making k-means even faster, SDM (2010).
    C. Elkan, Using the triangle inequality to accelerate k-means, ICML (2003).

    Examples
    --------
    >>> from margin.cluster import KMeans
    >>> model = KMeans(n_clusters=2, init="first").fit([[0.0], [1.0], [10.0], [11.0]])
    >>> model.cluster_centers_.ravel(), model.inertia_
    (array([ 0.5, 10.5]), 1.0)
    >>> model.predict([[3.0], [8.0]])
    array([0, 1], dtype=int32)
    """

    card = Card(tasks=("clustering", "transform"), search_space={"n_clusters": [2, 5]})

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Any = "k-means++",
        n_init: Any = "auto",
        max_iter: int = 300,
        tol: float = 1e-4,
        verbose: int = 0,
        random_state: Any = None,
        copy_x: bool = True,
        algorithm: str = "lloyd",
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.n_init = n_init
        self.max_iter = max_iter
        self.tol = tol
        self.verbose = verbose
        self.random_state = random_state
        self.copy_x = copy_x
        self.algorithm = algorithm

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the centres.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.
        sample_weight : array-like of shape (n_samples,), optional
            How often each row counts.

        Returns
        -------
        self
        """
        count = self._check_params()
        X = check.table(self, X, sparse=True, order="C", reset=True)
        weight = check.weights(self, sample_weight, X.shape[0])
        too_few(self, X.shape[0], self.n_clusters)
        n_threads, algorithm = threads.count(None), self._algorithm(X)
        rows = rows_of(X, weight, n_threads, packed=algorithm == "lloyd")
        method = Lloyd(self.tol * mean_variance(X), int(self.max_iter), algorithm)
        solution = self._search(X, weight, method, rows, count)
        centres = as_given(solution.x, X)
        assigned = solution.extras["assigned"]
        if centres.dtype != np.float64:  # labels of the rounded centres, as predict gives them
            assigned = pass_over(X, weight, centres.astype(np.float64), n_threads)
        self._keep(solution, centres, assigned, count)
        return self

    @atomic
    def fit_blocks(self, blocks: Any) -> Self:
        """Find the centres of rows that are read block by block in every pass.

        Parameters
        ----------
        blocks : callable or iterable
            Gives tables of rows, or pairs of rows and weights: a list, an object that can be
            iterated over again and again, or a function that opens the data anew, as for files
            mapped into memory or batches of Parquet. Of every row only its label, weight and
            distance are kept.

        Returns
        -------
        self
            Equal to the fit in memory up to rounding, starts included.

        Examples
        --------
        >>> import numpy as np
        >>> X = np.random.default_rng(0).normal(size=(60, 2))
        >>> whole = KMeans(3, random_state=0).fit(X)
        >>> parts = KMeans(3, random_state=0).fit_blocks([X[:25], X[25:]])
        >>> np.allclose(whole.cluster_centers_, parts.cluster_centers_)
        True
        """
        count = self._check_params()
        rows, weight = read_blocks(self, blocks)
        too_few(self, rows.shape[0], self.n_clusters)
        method = Lloyd(self.tol * rows.variance, int(self.max_iter))
        solution = self._search(rows, weight, method, rows, count)
        self._keep(solution, solution.x, solution.extras["assigned"], count)
        return self

    def _check_params(self) -> int:
        """The number of starts."""
        check.params(
            self,
            count="n_clusters max_iter",
            nonnegative="tol",
            flag="copy_x",
            one_of={"algorithm": ALGORITHMS},
        )
        check_init(self, self.init)
        return n_starts(self, self.init, self.n_init, 10)

    def _keep(self, solution: Solution, centres: Array, assigned: Pass, count: int) -> None:
        solution = told_of_few(self, solution, assigned.label, int(self.n_clusters))
        self._n_init = count
        self.cluster_centers_, self.labels_ = centres, assigned.label
        self.inertia_, self.n_iter_ = float(assigned.inertia), int(solution.n_iter)
        self.fit_report_ = check.report(self, solution)

    def _search(
        self, X: Any, weight: Floats | None, method: Lloyd, rows: Rows, count: int
    ) -> Solution:
        """The best of several starts."""
        n_threads, k = threads.count(None), int(self.n_clusters)
        rng, speaker = random.generator(self.random_state), Speaker(self.verbose)

        def draw() -> Floats:
            start = starts(self, X, k, self.init, weight, rng, n_threads)
            speaker.say("Initialization complete")
            return start

        def climb(start: Floats) -> Solution:
            solution = method(rows, start, speaker.callback())
            speaker.converged(solution)
            return solution

        return best_of(climb, draw, count)

    def _algorithm(self, X: Any) -> str:
        if self.algorithm == "elkan" and self.n_clusters == 1:
            warnings.warn(
                f"{type(self).__name__}: algorithm='elkan' doesn't make sense for a single "
                "cluster. Using 'lloyd' instead.",
                RuntimeWarning,
                stacklevel=4,
            )
        if issparse(X) or self.n_clusters == 1:
            return "lloyd"
        if self.algorithm == "auto":
            # One bound per row pays where a comparison with all centres is dear.
            return "hamerly" if X.shape[1] <= 8 and self.n_clusters >= 16 else "lloyd"
        return str(self.algorithm)
