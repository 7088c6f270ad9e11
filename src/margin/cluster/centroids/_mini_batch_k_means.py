"""k-means for tables too large to pass over often."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np

from margin.cluster.centroids._batches import Batches, Centres
from margin.cluster.centroids._centre_model import CentreModel
from margin.cluster.centroids._equal_rows import equal_rows
from margin.cluster.centroids._restarts import (
    Speaker,
    as_given,
    mean_variance,
    n_distinct,
    n_starts,
    told_of_few,
)
from margin.cluster.seeding._starts import check_init, starts, too_few
from margin.core import Card, Solution, Status, atomic, check, random, threads
from margin.core.types import Floats
from margin.inference import pass_over
from margin.native.cluster.centres import Pass


class MiniBatchKMeans(CentreModel):
    r"""k-means by steps towards the means of small random batches (cluster.01).

    Every centre is the mean of all rows it was given so far, so a step costs what the batch costs.
    The sum of squared errors comes out a few per cent above that of :class:`KMeans`.

    Parameters
    ----------
    n_clusters : int, default=8
        Number of clusters.
    init : str, callable or array, default="k-means++"
        One of ``"k-means++"``, ``"random"``, ``"first"``, ``"partition"``, ``"farthest"``.
        Starting centres, as for :class:`KMeans`.
    max_iter : int, default=100
        Most passes over as many rows as the table has.
    batch_size : int, default=1024
        Rows of a batch.
    verbose : int, default=0
        Whether to print every batch.
    compute_labels : bool, default=True
        Whether to label all rows in the end.
    random_state : int, Generator, RandomState or None, default=None
        For starts and batches.
    tol : float, default=0.0
        Smoothed squared move of the centres, in units of the mean variance of the columns, that
        ends the search; 0 for no such rule.
    max_no_improvement : int or None, default=10
        Batches without a lower smoothed error that end the search.
    init_size : int, optional
        Rows that starts are drawn from; three batches by default.
    n_init : "auto" or int, default="auto"
        Starts, compared on a sample; ``"auto"`` is 1 for ``"k-means++"`` and given centres, else 3.
    reassignment_ratio : float, default=0.01
        Centres with a smaller share of the largest count are given up for random rows.

    Attributes
    ----------
    cluster_centers_ : ndarray of shape (n_clusters, n_features)
        The centres.
    labels_ : ndarray of shape (n_samples,)
        The nearest centre of each row, of the last batch after ``partial_fit``.
    inertia_ : float
        The weighted sum of squared errors.
    n_iter_ : int
        Passes over the table begun.
    n_steps_ : int
        Batches used.
    fit_report_ : FitReport
        Errors of the batches and why the search ended.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    Out of core: ``partial_fit`` takes one batch after the other.

    References
    ----------
    D. Sculley, Web-scale k-means clustering, WWW (2010).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.cluster import MiniBatchKMeans
    >>> X = np.array([[0.0], [1.0], [10.0], [11.0]])
    >>> model = MiniBatchKMeans(n_clusters=2, init=X[[0, 2]], random_state=0).fit(X)
    >>> model.labels_
    array([0, 0, 1, 1], dtype=int32)
    """

    card = Card(tasks=("clustering", "transform"), search_space={"n_clusters": [2, 5]})

    def __init__(
        self,
        n_clusters: int = 8,
        *,
        init: Any = "k-means++",
        max_iter: int = 100,
        batch_size: int = 1024,
        verbose: int = 0,
        compute_labels: bool = True,
        random_state: Any = None,
        tol: float = 0.0,
        max_no_improvement: int | None = 10,
        init_size: int | None = None,
        n_init: Any = "auto",
        reassignment_ratio: float = 0.01,
    ) -> None:
        self.n_clusters = n_clusters
        self.init = init
        self.max_iter = max_iter
        self.batch_size = batch_size
        self.verbose = verbose
        self.compute_labels = compute_labels
        self.random_state = random_state
        self.tol = tol
        self.max_no_improvement = max_no_improvement
        self.init_size = init_size
        self.n_init = n_init
        self.reassignment_ratio = reassignment_ratio

    def _check(self) -> int:
        check.params(
            self,
            count="n_clusters max_iter batch_size",
            nonnegative="tol reassignment_ratio",
            flag="compute_labels",
        )
        if self.init_size is not None:
            check.params(self, count="init_size")
        if self.max_no_improvement is not None:
            check.params(self, nonnegative="max_no_improvement")
        check_init(self, self.init)
        return n_starts(self, self.init, self.n_init, 3)

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the centres from scratch.

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
        count = self._check()
        X = check.table(self, X, sparse=True, order="C", reset=True)
        weight = check.weights(self, sample_weight, X.shape[0])
        too_few(self, X.shape[0], self.n_clusters)
        rng, n = random.generator(self.random_state), X.shape[0]
        engine = self._engine(X)
        size = self._sample_size(n)
        start = self._start(X, weight, rng, count, size)
        speaker = Speaker(self.verbose)
        solution = engine(X, weight, start, rng, speaker.callback())
        self._tell(speaker, solution)
        self._init_size, self._n_init = size, count
        self._keep(X, solution, random.generator(self.random_state))
        if self.compute_labels:
            assigned = solution.extras["assigned"]
            if self.cluster_centers_.dtype != np.float64:  # as predict gives them
                assigned = self._assigned(X, weight)
            self.labels_, self.inertia_ = assigned.label, float(assigned.inertia)
            k = int(self.n_clusters)
            # Batches may leave a cluster without rows where there are enough different ones.
            if n_distinct(assigned.label) < k and int(equal_rows(X).max()) + 1 < k:
                solution = told_of_few(self, solution, assigned.label, k)
        else:
            self.inertia_ = float(solution.objective)
        self.n_steps_ = int(solution.n_iter)
        self.n_iter_ = int(np.ceil(self.n_steps_ * engine.batch_size / n))
        self.fit_report_ = check.report(self, solution)
        return self

    @atomic
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Take one more batch into account.

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
        count = self._check()
        first = not hasattr(self, "cluster_centers_")
        X = check.table(self, X, sparse=True, order="C", reset=first)
        weight = check.weights(self, sample_weight, X.shape[0])
        rng: np.random.Generator = self._rng if not first else random.generator(self.random_state)
        if first:
            too_few(self, X.shape[0], self.n_clusters)
            at = self._start(X, weight, rng, count, X.shape[0])
        else:
            values = np.ascontiguousarray(self.cluster_centers_, dtype=np.float64)
            at = Centres(values, self._counts, self._since)
        after, inertia = self._engine(X).step(X, weight, at, rng)
        steps = getattr(self, "n_steps_", 0) + 1
        solution = Solution(after, Status.CONVERGED, steps, inertia, solver="one batch at a time")
        self._n_init, self.n_steps_ = count, steps
        self._keep(X, solution, rng)
        if self.compute_labels:
            assigned = self._assigned(X, weight)
            self.labels_, self.inertia_ = assigned.label, float(assigned.inertia)
        self.fit_report_ = check.report(self, solution)
        return self

    def _assigned(self, X: Any, weight: Floats | None) -> Pass:
        """Labels of the centres in the precision they are shown in."""
        given = np.ascontiguousarray(self.cluster_centers_, dtype=np.float64)
        return pass_over(X, weight, given, threads.count(None))

    def _keep(self, X: Any, solution: Solution, rng: np.random.Generator) -> None:
        self.cluster_centers_ = as_given(solution.x.values, X)
        self._counts, self._since = solution.x.counts, solution.x.since
        self._rng = rng

    def _engine(self, X: Any) -> Batches:
        n = X.shape[0]
        size = min(int(self.batch_size), n)
        return Batches(
            size,
            max(1, int(self.max_iter) * n // size),
            self.tol * mean_variance(X) if self.tol > 0 else 0.0,
            None if self.max_no_improvement is None else int(self.max_no_improvement),
            float(self.reassignment_ratio),
            threads.count(None),
        )

    def _sample_size(self, n: int) -> int:
        k = int(self.n_clusters)
        size = self.init_size
        if size is None:
            size = 3 * int(self.batch_size)
            size = 3 * k if size < k else size
        elif size < k:
            warnings.warn(
                f"{type(self).__name__}: init_size={size} should be larger than n_clusters={k}. "
                "Setting it to min(3*n_clusters, n_samples)",
                RuntimeWarning,
                stacklevel=4,
            )
            size = 3 * k
        return min(int(size), n)

    def _start(
        self, X: Any, weight: Floats | None, rng: np.random.Generator, count: int, size: int
    ) -> Centres:
        """The start with the least error on a sample."""
        n, k = X.shape[0], int(self.n_clusters)
        rows = np.arange(n) if size >= n else rng.choice(n, size=size, replace=False)
        sample, part = X[rows], None if weight is None else weight[rows]
        if part is not None and not part.any():
            part = None
        best, least = None, np.inf
        for _ in range(count):
            centres = starts(self, sample, k, self.init, part, rng, threads.count(None))
            if count > 1:  # what a start is worth shows after a step
                at = Centres(centres, np.zeros(k))
                centres = self._engine(X).step(sample, part, at, rng)[0].values
            error = pass_over(sample, part, centres, threads.count(None)).inertia
            if best is None or error < least:
                best, least = centres, error
        return Centres(np.asarray(best), np.zeros(k))

    def _tell(self, speaker: Speaker, solution: Solution) -> None:
        if not solution.status.ok:
            return
        proof = solution.certificate
        if self.tol > 0 and proof is not None and proof.holds:
            speaker.say(f"Converged (small centers change) at step {solution.n_iter}")
        elif self.max_no_improvement is not None:
            speaker.say(f"Converged (lack of improvement in inertia) at step {solution.n_iter}")
