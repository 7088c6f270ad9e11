"""Kernel density estimation."""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from margin.core import Card, Solution, Status, atomic, check, random, threads
from margin.core.types import Array, Floats
from margin.kernels import Kernel
from margin.native.neighbors import trees
from margin.neighbors.density._bandwidth import RULES, by_leaving_out, by_rule
from margin.neighbors.density._kernel_constants import KERNELS, draw
from margin.neighbors.density._kernel_sums import KernelSums, Tolerance
from margin.neighbors.search._choice import choose
from margin.neighbors.search._names import Asked, metric_of


class KernelDensity(BaseEstimator):
    r"""Density as a sum of kernels around the rows (neighbors.03).

    .. math:: \hat f(x) = \frac{1}{c_K h^p \sum_i w_i} \sum_i w_i\, K\!\Big(\frac{d(x, x_i)}{h}\Big)

    with the volume :math:`c_K` of the kernel, so that the density integrates to one where the
    metric is Euclidean.

    Parameters
    ----------
    bandwidth : float, "scott", "silverman" or "cv", default=1.0
        Width :math:`h`. The rules are for columns of unit spread; ``"cv"`` maximises the
        likelihood of every row under the density of the others.
    algorithm : {"auto", "kd_tree", "ball_tree"}, default="auto"
        The tree over the rows.
    kernel : {"gaussian", "tophat", "epanechnikov", "exponential", "linear", "cosine"}
        :math:`e^{-u^2/2}`, :math:`1`, :math:`1 - u^2`, :math:`e^{-u}`, :math:`1 - u` or
        :math:`\cos(\pi u / 2)`; all but the first and the fourth are zero for :math:`u \ge 1`.
        Gaussian by default.
    metric : str or callable, default="euclidean"
        As for :class:`NearestNeighbors`; densities are proper for Euclidean distances only.
    atol : float, default=0
        Largest absolute error of a density.
    rtol : float, default=0
        Largest relative error of a density. With neither, only what is lost in rounding is left
        out.
    breadth_first : bool, default=True
        Without effect: nodes near the query are always visited first.
    leaf_size : int, default=40
        Rows of a leaf of the tree, rounded up to blocks of 16.
    metric_params : dict, optional
        Further parameters of the metric.
    n_jobs : int, optional
        Threads that share the queries, all by default; the answer does not depend on it.

    Attributes
    ----------
    bandwidth_ : float
        The width used.
    tree_ : object
        The rows in their tree; ``None`` for metrics that no tree serves.
    fit_report_ : FitReport
        Mean log-density of left-out rows over the widths tried, for ``"cv"``.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    Sums are taken relative to the nearest row, so that far from all rows the logarithm is still
    right. A node of the tree whose kernels differ by less than is allowed counts as a whole.

    References
    ----------
    B. W. Silverman, Density Estimation for Statistics and Data Analysis (1986).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.neighbors import KernelDensity
    >>> model = KernelDensity(bandwidth=1.0).fit([[0.0]])
    >>> np.exp(model.score_samples([[0.0], [1.0]])).round(4)
    array([0.3989, 0.242 ])
    """

    card = Card(
        tasks=("density",), cost="quadratic", search_space={"bandwidth": (0.01, 10.0, "log")}
    )

    def __init__(
        self,
        *,
        bandwidth: Any = 1.0,
        algorithm: str = "auto",
        kernel: str = "gaussian",
        metric: Any = "euclidean",
        atol: float = 0,
        rtol: float = 0,
        breadth_first: bool = True,
        leaf_size: int = 40,
        metric_params: dict[str, Any] | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.bandwidth = bandwidth
        self.algorithm = algorithm
        self.kernel = kernel
        self.metric = metric
        self.atol = atol
        self.rtol = rtol
        self.breadth_first = breadth_first
        self.leaf_size = leaf_size
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Keep the rows, and find the width if it is asked for.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : None
            Without effect, for pipelines.
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        self._check_params()
        X = check.table(self, X, order="C", reset=True)
        sums = self._sums(X, check.weights(self, sample_weight, len(X)))
        width, solution = self._width(sums)
        self.bandwidth_ = width
        self._kernel_sums = sums
        self.fit_report_ = check.report(self, solution)
        return self

    @property
    def tree_(self) -> trees.Blocks | None:
        """The points in a tree, grown when first asked for; None for metrics that have none."""
        check_is_fitted(self)
        sums = self._kernel_sums
        return sums.tree if sums.metric.form == "rows" else None

    def _check_params(self) -> None:
        check.params(
            self,
            nonnegative="atol rtol",
            count="leaf_size",
            flag="breadth_first",
            one_of={"kernel": KERNELS, "algorithm": ("auto", "kd_tree", "ball_tree")},
        )
        if not (isinstance(self.bandwidth, str) and self.bandwidth in RULES):
            if isinstance(self.bandwidth, str):
                wanted = f"a number above 0 or one of {', '.join(map(repr, RULES))}"
                raise check.fail(self, "bandwidth", wanted, self.bandwidth)
            check.params(self, positive="bandwidth")
        if not isinstance(self.metric, str | Kernel) and not callable(self.metric):
            raise check.fail(self, "metric", "a name, a Kernel or a callable", self.metric)
        if self.metric_params is not None and not isinstance(self.metric_params, dict):
            raise check.fail(self, "metric_params", "None or a dict", self.metric_params)

    def _sums(self, X: Array, weight: Floats | None) -> KernelSums:
        metric = metric_of(self, Asked(self.metric, self.metric_params or {}), X, False)
        if metric.form == "rows" and not metric.balled:
            raise ValueError(
                f"{type(self).__name__}: invalid metric: '{self.metric}', no tree can serve it"
            )
        if self.algorithm != "auto":
            choose(self, self.algorithm, metric, *X.shape)
        boxes = metric.boxed and self.algorithm != "ball_tree"
        kept = slice(None) if weight is None else weight > 0
        weight = np.ones(len(X)) if weight is None else weight
        # Copies: what becomes of the table does not matter to a tree that is grown later.
        rows, shares = X[kept].copy(), weight[kept]
        n_threads = threads.count(self.n_jobs)
        return KernelSums(rows, shares, metric, boxes, int(self.leaf_size), n_threads)

    def _width(self, sums: KernelSums) -> tuple[float, Solution]:
        """The width, and what was tried for it."""
        trace, tried = np.empty(0), 0
        if not isinstance(self.bandwidth, str):
            width = float(self.bandwidth)
        elif self.bandwidth == "cv":
            width, _, trace = by_leaving_out(sums, self.kernel)
            tried = len(trace)
        else:
            width = by_rule(self.bandwidth, *sums.X.shape)
        best = trace[np.isfinite(trace)]
        solution = Solution(
            x=np.empty(0),
            status=Status.CONVERGED,
            n_iter=tried,
            objective=float(best.max()) if len(best) else 0.0,
            trace={"mean log-density left out": trace},
            solver="sums over a tree",
        )
        return width, solution

    def score_samples(self, X: Any) -> Floats:
        """Logarithm of the density at each row.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)

        Returns
        -------
        ndarray of shape (n_queries,)
        """
        check_is_fitted(self)
        X = check.table(self, X, order="C")
        tolerance = Tolerance(float(self.atol), float(self.rtol))
        return self._kernel_sums.log_density(X, self.kernel, self.bandwidth_, tolerance)

    def score(self, X: Any, y: Any = None) -> float:
        """Sum of the log-densities of the rows.

        Parameters
        ----------
        X : array-like of shape (n_queries, n_features)
        y : None
            Without effect, for pipelines.

        Returns
        -------
        float
        """
        return float(np.sum(self.score_samples(X)))

    def sample(self, n_samples: int = 1, random_state: Any = None) -> Floats:
        """Draw rows from the density, of any kernel.

        Parameters
        ----------
        n_samples : int, default=1
            How many.
        random_state : int, Generator, RandomState or None
            Where randomness comes from.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
        """
        check_is_fitted(self)
        sums = self._kernel_sums
        plain = sums.metric.form == "rows" and sums.metric.scale is None
        if not plain or sums.metric.measure != "euclidean":
            raise ValueError(
                f"{type(self).__name__}: sample needs the Euclidean metric, got {self.metric!r}"
            )
        rng = random.generator(random_state)
        share = np.cumsum(sums.weight) / sums.weight.sum()
        rows = np.searchsorted(share, rng.random(n_samples), side="right")
        centres = sums.X[np.minimum(rows, len(share) - 1)].astype(np.float64)
        steps = draw(self.kernel, self.bandwidth_, n_samples, sums.X.shape[1], rng)
        return np.asarray(centres + steps)
