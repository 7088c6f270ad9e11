"""The loop over numbers of clusters: fit, evaluate, choose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.metrics import calinski_harabasz_score, davies_bouldin_score
from sklearn.utils import check_array

from margin.cluster.choosing._dunn import dunn_index
from margin.cluster.choosing._indices import information_criterion, silhouette, squared_error
from margin.cluster.choosing._numbered import labels_of, numbered
from margin.cluster.choosing._rules import counted, elbow, gap_statistic, stability
from margin.core import check, extra
from margin.core.types import Array, Floats

RULES = (
    "silhouette", "elbow", "gap", "stability", "bic", "davies_bouldin", "calinski_harabasz", "dunn"
)  # fmt: skip
_INDICES = {
    "silhouette": silhouette,
    "davies_bouldin": davies_bouldin_score,
    "calinski_harabasz": calinski_harabasz_score,
    "dunn": dunn_index,
}
_LEAST = ("bic", "davies_bouldin")
_COLOUR = "#2e86ab"
_LABELS = {
    "silhouette": "mean silhouette",
    "elbow": "sum of squared errors",
    "gap": "gap statistic",
    "stability": "agreement of samples (ARI)",
    "bic": "Bayesian information criterion",
    "davies_bouldin": "index of Davies and Bouldin",
    "calinski_harabasz": "index of Calinski and Harabasz",
    "dunn": "index of Dunn",
}


@dataclass(frozen=True, eq=False)
class ChosenK:
    """A number of clusters and why.

    Parameters
    ----------
    k : int
        The number chosen.
    rule : str
        By which rule.
    reason : str
        In words.
    numbers : tuple of int
        Numbers that were tried.
    value : ndarray
        What the rule measured at each; NaN where it says nothing.
    estimator : estimator
        Fitted with the number chosen.
    """

    k: int
    rule: str
    reason: str
    numbers: tuple[int, ...]
    value: Floats
    estimator: Any

    def plot(self, ax: Any = None) -> Any:
        """Draw what was measured, with the choice marked.

        Parameters
        ----------
        ax : matplotlib Axes, optional

        Returns
        -------
        matplotlib Axes
        """
        plt = extra("matplotlib.pyplot", "ChosenK.plot")
        if ax is None:
            _, ax = plt.subplots(figsize=(5, 3.4), layout="constrained")
        ax.plot(self.numbers, self.value, "o-", ms=4, lw=1.2, color=_COLOUR)
        at = self.numbers.index(self.k)
        ax.plot([self.k], [self.value[at]], "o", ms=10, mec="#c0392b", mfc="none", mew=1.8)
        ax.set(xlabel="number of clusters", ylabel=_LABELS[self.rule], title=f"k = {self.k}")
        ax.xaxis.get_major_locator().set_params(integer=True)
        ax.grid(alpha=0.3)
        return ax

    def __repr__(self) -> str:
        return f"ChosenK(k={self.k}: {self.reason})"


def choose_k(
    X: Any, estimator: Any, k: Any = range(2, 11), *, rule: str = "silhouette",
    random_state: Any = 0,
) -> ChosenK:  # fmt: skip
    """Fit with several numbers of clusters and choose one (cluster.06).

    Parameters
    ----------
    X : array-like of shape (n_samples, n_features)
    estimator : clusterer with ``n_clusters`` and ``labels_``
    k : array-like of int
        Numbers to try, rising.
    rule : {"silhouette", "elbow", "gap", "stability", "bic"}
        Largest mean silhouette, bend of the squared error, gap statistic, best agreement of
        samples, least information criterion.
    random_state : int, Generator, RandomState or None
        For gap and stability.

    Returns
    -------
    ChosenK

    Examples
    --------
    >>> import numpy as np
    >>> from margin.cluster import KMeans, choose_k
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(90, 2)) + np.repeat([[0, 0], [9, 0], [0, 9]], 30, axis=0)
    >>> choose_k(X, KMeans(n_init=5, random_state=0), range(2, 7)).k
    3
    """
    if rule not in RULES:
        raise check.fail("choose_k", "rule", f"one of {', '.join(map(repr, RULES))}", rule)
    X = check_array(X, dtype=np.float64)
    numbers = counted("choose_k", k, len(X))
    if rule == "gap":
        gaps = gap_statistic(X, estimator, numbers, random_state=random_state)
        chosen, value = gaps.k, gaps.gap
        reason = f"the least k whose gap {value[numbers.index(chosen)]:.4g} reaches the next one"
    elif rule == "elbow":
        value = np.array([squared_error(X, _labels(estimator, X, n)) for n in numbers])
        chosen = elbow(numbers, value)
        reason = "where the curve of squared errors is farthest below its chord"
    else:
        value = np.array([_measured(X, estimator, n, rule, random_state) for n in numbers])
        if np.isnan(value).all():
            raise check.fail("choose_k", "k", "at least 2 somewhere", numbers)
        best = int(np.nanargmin(value) if rule in _LEAST else np.nanargmax(value))
        chosen = numbers[best]
        reason = f"{'least' if rule in _LEAST else 'largest'} {_LABELS[rule]}, {value[best]:.4g}"
    return ChosenK(chosen, rule, reason, tuple(numbers), value, _fitted(estimator, X, chosen))


def _fitted(estimator: Any, X: Floats, k: int) -> Any:
    return numbered("choose_k", estimator, k).fit(X)


def _labels(estimator: Any, X: Floats, k: int) -> Array:
    return labels_of(_fitted(estimator, X, k), X)


def _measured(X: Floats, estimator: Any, k: int, rule: str, random_state: Any) -> float:
    if rule == "stability":
        return stability(X, estimator, k, random_state=random_state) if k > 1 else np.nan
    model = _fitted(estimator, X, k)
    if rule == "bic" and hasattr(model, "bic"):
        return float(model.bic(X))
    labels = labels_of(model, X)
    if rule == "bic":
        return information_criterion(X, labels)
    # As many clusters as rows, or one, say nothing.
    n_labels = len(np.unique(labels))
    return float(_INDICES[rule](X, labels)) if 1 < n_labels < len(X) else np.nan
