"""Locally weighted regression."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from scipy.spatial.distance import cdist
from sklearn.base import BaseEstimator, RegressorMixin

from margin.core import Card, Solution, Status, atomic, check, progress, threads

_KERNELS = ("tricube", "gaussian", "epanechnikov")
_CHUNK = 2**18  # numbers held at once by one thread: what a cache holds
_RCOND = 1e-10  # directions with a smaller share of the local spread are left flat


class LocallyWeightedRegression(RegressorMixin, BaseEstimator):
    r"""Regression fitted anew around every query, near rows counting most (linear.06).

    The prediction at :math:`q` is :math:`b` of the weighted least-squares problem

    .. math:: \min_{b,\,w} \sum_i s_i\, \delta_i\, K\!\Big(\frac{\|x_i - q\|}{h(q)}\Big)
              \big(y_i - b - (x_i - q)^\top w\big)^2 ,

    with :math:`w = 0` for degree 0 (the weighted mean of Nadaraya and Watson), and
    :math:`\delta_i = 1` unless ``robust_iter`` asks for weights against outliers.

    Parameters
    ----------
    bandwidth : "auto" or float, default="auto"
        Width :math:`h`, in units of the standardised features. ``"auto"`` takes, at each query,
        the distance within which the fraction ``span`` of the training weight lies.
    span : float, default=0.3
        Fraction of the rows that counts as near, above 0; more is smoother. Used by ``"auto"``.
    kernel : {"tricube", "gaussian", "epanechnikov"}, default="tricube"
        :math:`(1 - u^3)^3`, :math:`e^{-u^2 / 2}` or :math:`1 - u^2`, all but the Gaussian zero
        for :math:`u \ge 1`.
    degree : {0, 1}, default=1
        Local constant or local plane. A plane has no bias at borders and on slopes.
    robust_iter : int, default=0
        Reweightings of the training rows by Tukey's biweight of their residuals over six times
        their median, as in the LOWESS of Cleveland.
    standardise : bool, default=True
        Whether distances are measured after dividing each feature by its standard deviation.
    n_jobs : int, optional
        Threads that share the queries; the answer does not depend on it.

    Attributes
    ----------
    robustness_ : ndarray of shape (n_kept,)
        Weight :math:`\delta` of every training row of positive weight.
    scale_ : ndarray of shape (n_features,)
        What the features are divided by.
    fit_report_ : FitReport
        Weighted residual sum of squares after each reweighting; nothing without reweighting.
    n_iter_ : int
        Passes over the training rows.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    The rows are the model: :math:`O(n p^2)` operations for each query, in blocks of bounded
    memory. Where fewer rows are near than a plane has slopes, the shortest slopes are taken; where
    none is within a fixed bandwidth, the nearest row answers.

    References
    ----------
    W. S. Cleveland, Robust locally weighted regression and smoothing scatterplots, JASA 74 (1979).

    Examples
    --------
    >>> import numpy as np
    >>> from margin.linear import LocallyWeightedRegression
    >>> x = np.linspace(0, 1, 101)[:, None]
    >>> model = LocallyWeightedRegression(span=0.1).fit(x, np.sin(6 * x[:, 0]))
    >>> model.predict([[0.25]]).round(2), round(float(np.sin(1.5)), 2)
    (array([0.99]), 1.0)
    """

    card = Card(
        tasks=("regression",),
        cost="quadratic",
        search_space={"span": (0.05, 1.0, "log"), "degree": [0, 1]},
        max_rows=20_000,
    )

    def __init__(
        self,
        *,
        bandwidth="auto",
        span=0.3,
        kernel="tricube",
        degree=1,
        robust_iter=0,
        standardise=True,
        n_jobs=None,
    ):
        self.bandwidth = bandwidth
        self.span = span
        self.kernel = kernel
        self.degree = degree
        self.robust_iter = robust_iter
        self.standardise = standardise
        self.n_jobs = n_jobs

    @atomic
    def fit(self, X, y, sample_weight=None):
        """Keep the rows and find their robustness weights.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Non-negative weights; a weight of two is the same as the row twice.

        Returns
        -------
        self
        """
        self._check_params()
        X, y, weight = check.data(self, X, y, sample_weight)
        weight = np.ones(len(y)) if weight is None else weight
        kept = weight > 0
        rows, self._target, self._weight = X[kept].astype(np.float64), y[kept], weight[kept]
        self._centre = np.average(rows, axis=0, weights=self._weight)
        self.scale_ = self._spread(rows)
        self._rows = (rows - self._centre) / self.scale_
        self.robustness_ = np.ones(len(rows))
        trace = self._reweight() if self.robust_iter else []
        self.n_iter_ = len(trace)
        self.fit_report_ = check.report(self, self._solution(trace))
        return self

    def _check_params(self):
        check.params(
            self,
            positive="span",
            flag="standardise",
            one_of={"kernel": _KERNELS, "degree": (0, 1)},
        )
        if self.bandwidth != "auto":
            check.params(self, positive="bandwidth")
        if self.span > 1:
            raise check.fail(self, "span", "at most 1", self.span)
        if self.robust_iter != 0:
            check.params(self, count="robust_iter")

    def _spread(self, rows):
        if not self.standardise:
            return np.ones(rows.shape[1])
        spread = np.sqrt(np.average((rows - self._centre) ** 2, axis=0, weights=self._weight))
        flat = spread <= len(rows) * np.finfo(float).eps * np.abs(self._centre)
        return np.where(flat | (spread == 0), 1.0, spread)

    def _reweight(self):
        """Robustness weights from the residuals of the rows themselves."""
        trace = []
        with progress.bar(type(self).__name__, self.robust_iter + 1) as tick:
            for turn in range(self.robust_iter + 1):
                residual = self._target - self._values(self._rows)
                trace.append(float(self._weight @ (self.robustness_ * residual**2)))
                tick(turn, trace[-1])
                if turn == self.robust_iter:
                    break
                size = np.abs(residual)
                limit = 6.0 * _weighted_quantile(size[None], self._weight[None], 0.5)[0]
                if limit <= 1e-12 * max(float(np.abs(self._target).max()), 1e-300):
                    break
                self.robustness_ = (1 - np.minimum(size / limit, 1.0) ** 2) ** 2
        return trace

    def _solution(self, trace):
        return Solution(
            x=np.empty(0),
            status=Status.CONVERGED,
            n_iter=len(trace),
            objective=trace[-1] if trace else 0.0,
            trace={"objective": np.array(trace)},
            solver="weighted least squares at every query, nothing to search for in fit",
        )

    def predict(self, X):
        """Value of the local fit at each row."""
        X = check.table(self, X)
        queries = (X.astype(np.float64) - self._centre) / self.scale_
        return self._values(queries).astype(X.dtype)

    def _values(self, queries):
        """Blocks of queries, whose size does not depend on the number of threads."""
        width = len(self._rows) * (2 + self._rows.shape[1] * self.degree)
        size = max(1, _CHUNK // max(width, 1))
        blocks = [queries[i : i + size] for i in range(0, len(queries), size)]
        n_threads = min(threads.count(self.n_jobs), len(blocks))
        if n_threads == 1:
            return np.concatenate([self._block(block) for block in blocks])
        with ThreadPoolExecutor(n_threads) as pool:
            return np.concatenate(list(pool.map(self._block, blocks)))

    def _block(self, queries):
        distance = cdist(queries, self._rows)
        if self.bandwidth == "auto":
            h = _weighted_quantile(distance, self._weight[None], self.span)
            # The row at the border would have no weight; ties with the query need some width.
            h = np.maximum(h * (1 + 1e-9), 1e-9 * (1 + np.abs(queries).max(axis=1)))
        else:
            h = np.full(len(queries), float(self.bandwidth))
        u = distance / h[:, None]
        weight = self._weight * self.robustness_ * _kernel(self.kernel, u)
        empty = np.flatnonzero(weight.sum(axis=1) <= 1e-280)
        for i in empty:  # nobody near: the nearest rows that are not outliers answer
            reach = np.where(self.robustness_ > 0, distance[i], np.inf)
            weight[i] = self._weight * (reach <= reach.min() * (1 + 1e-9))
        if self.degree == 0:
            return (weight @ self._target) / weight.sum(axis=1)
        return _local_planes(queries, self._rows, self._target, weight)


def _kernel(name, u):
    if name == "gaussian":
        return np.exp(-0.5 * u * u)
    inside = np.minimum(u, 1.0)
    if name == "epanechnikov":
        return 1 - inside * inside
    rest = 1 - inside * inside * inside  # products are many times faster than powers
    return rest * rest * rest


def _weighted_quantile(values, weight, fraction):
    """Per row, the smallest value below which lies the fraction of the weight."""
    if weight.min() == weight.max():  # no need to sort
        place = max(int(np.ceil(fraction * values.shape[1] * (1 - 1e-12))) - 1, 0)
        return np.partition(values, place, axis=1)[:, place]
    order = np.argsort(values, axis=1)
    mass = np.cumsum(np.take_along_axis(np.broadcast_to(weight, values.shape), order, 1), axis=1)
    place = np.argmax(mass >= fraction * mass[:, -1:] * (1 - 1e-12), axis=1)
    return np.take_along_axis(np.take_along_axis(values, order, 1), place[:, None], 1)[:, 0]


def _local_planes(queries, rows, target, weight):
    """Intercepts at the queries, with slopes only where the near rows spread."""
    total = weight.sum(axis=1)
    middle = weight @ rows / total[:, None]
    level = weight @ target / total
    root = np.sqrt(weight / total[:, None])
    away = rows.T[None] - middle[:, :, None]
    away *= root[:, None]
    scatter = away @ away.transpose(0, 2, 1)
    moment = (away @ (root * (target - level[:, None]))[:, :, None])[:, :, 0]
    values, vectors = np.linalg.eigh(scatter)
    rounding = (1e-13 * np.abs(rows).max(initial=0.0)) ** 2
    kept = values > np.maximum(_RCOND * values[:, -1:], rounding)
    along = np.einsum("qpk,qp->qk", vectors, moment)
    along = np.where(kept, along / np.where(kept, values, 1.0), 0.0)
    slope = np.einsum("qpk,qk->qp", vectors, along)
    return level + np.einsum("qp,qp->q", slope, queries - middle)
