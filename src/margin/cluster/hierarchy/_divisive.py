"""Clusters by splits from above."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import check_is_fitted

from margin.cluster.centroids._k_medoids import proximities
from margin.core import Iterate, Stop, atomic, check, iterate
from margin.core.types import Array, Floats, Indices


class _Split(NamedTuple):
    """Labels after a split, and the diameter of what was split."""

    label: Indices
    diameters: tuple[float, ...]
    history: tuple[tuple[int, Indices], ...]


class DivisiveClustering(ClusterMixin, BaseEstimator):
    r"""Splits of the widest cluster, from all rows on (cluster.09, cluster.14).

    The cluster with the largest diameter loses the row that is farthest from the others on average;
    rows follow it while they are closer to those that left than to those that stayed.

    Parameters
    ----------
    n_clusters : int, default=2
        Where the splits stop.
    metric : str or callable, default="euclidean"
        As in :func:`sklearn.metrics.pairwise_distances`, or ``"precomputed"``.
    metric_params : dict, optional
        Further parameters of the metric.

    Attributes
    ----------
    labels_ : ndarray of shape (n_samples,)
        The cluster of each row.
    diameters_ : ndarray of shape (n_clusters - 1,)
        Largest distance within the cluster that each split opened.
    n_clusters_ : int
        Clusters found: fewer than asked for where only equal rows are left.
    fit_report_ : FitReport
        Trace of the largest diameter.
    n_features_in_ : int
        Features seen in ``fit``.
    feature_names_in_ : ndarray of str
        Names of the features, when ``X`` had them.

    Notes
    -----
    :math:`O(n^2)` memory and time per split.

    References
    ----------
    L. Kaufman, P. Rousseeuw, Finding Groups in Data, chapter 6 (1990).

    Examples
    --------
    >>> from margin.cluster import DivisiveClustering
    >>> model = DivisiveClustering(n_clusters=3).fit([[0.0], [1.0], [10.0], [11.0], [30.0]])
    >>> model.labels_, model.diameters_, model.cut(2)
    (array([2, 2, 0, 0, 1]), array([30., 11.]), array([0, 0, 0, 0, 1]))
    """

    def __init__(
        self,
        *,
        n_clusters: int = 2,
        metric: Any = "euclidean",
        metric_params: dict[str, Any] | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.metric_params = metric_params

    @atomic
    def fit(self, X: Any, y: Any = None) -> Self:
        """Split the rows.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Or a matrix of distances.
        y : None
            Without effect, for pipelines.

        Returns
        -------
        self
        """
        check.params(self, count="n_clusters")
        if not isinstance(self.metric, str) and not callable(self.metric):
            raise check.fail(self, "metric", "a name or a callable", self.metric)
        if self.metric_params is not None and not isinstance(self.metric_params, dict):
            raise check.fail(self, "metric_params", "a dict or None", self.metric_params)
        X = check.table(self, X, order="C", reset=True)
        if self.n_clusters > len(X):
            raise check.fail(self, "n_clusters", f"at most the {len(X)} samples", self.n_clusters)
        D = proximities(self, X, self.metric, self.metric_params)
        stop = Stop("", None, max(1, int(self.n_clusters) - 1), unit="split", keep="last",
                    monotone=1e-9)  # fmt: skip
        solution = iterate(_splits(D, int(self.n_clusters)), stop, solver="splinter groups")
        last: _Split = solution.x
        self.labels_, self.diameters_ = last.label, np.array(last.diameters)
        self.n_clusters_ = len(last.diameters) + 1
        self._history = last.history
        self.fit_report_ = check.report(self, solution)
        return self

    def cut(self, n_clusters: int) -> Indices:
        """Labels after fewer splits.

        Parameters
        ----------
        n_clusters : int
            At most ``n_clusters_``.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        if not isinstance(n_clusters, int | np.integer) or not 1 <= n_clusters <= self.n_clusters_:
            raise check.fail(self, "n_clusters", f"from 1 to {self.n_clusters_}", n_clusters)
        label = self.labels_.copy()
        for new in range(self.n_clusters_ - 1, n_clusters - 1, -1):
            label[label == new] = self._history[new - 1][0]
        return label

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = isinstance(self.metric, str) and self.metric == "precomputed"
        return tags


def _splits(D: Floats, k: int) -> Iterator[Iterate]:
    label = np.zeros(len(D), dtype=np.int64)
    widths = [float(D.max(initial=0.0))]
    at = _Split(label, (), ())
    alone = "one cluster has nothing to split" if k == 1 else ""
    yield Iterate(at, widths[0], n_iter=0, done=alone)
    for new in range(1, k):
        widest = int(np.argmax(widths))
        if not widths[widest] > 0:
            yield Iterate(at, max(widths), n_iter=new, done="only equal rows are left together")
            return
        rows = np.flatnonzero(at.label == widest)
        left = rows[_splinter(D[np.ix_(rows, rows)])]
        label = at.label.copy()
        label[left] = new
        at = _Split(label, (*at.diameters, widths[widest]), (*at.history, (widest, left)))
        widths.append(0.0)
        for c in (widest, new):
            own = np.flatnonzero(label == c)
            widths[c] = float(D[np.ix_(own, own)].max(initial=0.0))
        yield Iterate(at, max(widths), n_iter=new)


def _splinter(D: Floats) -> Array:
    """Rows that leave a cluster."""
    m = len(D)
    leaves = np.zeros(m, dtype=bool)
    leaves[int(D.sum(axis=1).argmax())] = True
    while (~leaves).sum() > 1:
        stay = (D @ ~leaves) / ((~leaves).sum() - 1)
        go = (D @ leaves) / leaves.sum()
        gain = np.where(leaves, -np.inf, stay - go)
        row = int(gain.argmax())
        if not gain[row] > 0:
            break
        leaves[row] = True
    return leaves
