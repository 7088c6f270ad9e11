"""The picture of a tree of merges."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from margin.core import check, extra


class DendrogramDisplay:
    """Dendrogram: merges as brackets at the height of their distance (cluster.07).

    Parameters
    ----------
    linkage_matrix : ndarray of shape (n - 1, 4)
        Children, distance and size of every merge.
    threshold : float, optional
        Merges below it have the colour of their cluster.
    labels : list of str, optional
        Names of the rows.

    Attributes
    ----------
    ax_ : matplotlib Axes
        Axes with the picture.
    figure_ : matplotlib Figure
        Figure with the picture.

    Examples
    --------
    >>> from margin.cluster import AgglomerativeClustering, DendrogramDisplay
    >>> model = AgglomerativeClustering(linkage="average").fit([[0.0], [1.0], [4.0], [6.0]])
    >>> display = DendrogramDisplay.from_estimator(model)
    >>> display.ax_.get_ylabel()
    'distance'
    """

    def __init__(
        self, *, linkage_matrix: Any, threshold: float | None = None, labels: Any = None
    ) -> None:
        self.linkage_matrix = linkage_matrix
        self.threshold = threshold
        self.labels = labels

    @classmethod
    def from_estimator(cls, estimator: Any, *, labels: Any = None, ax: Any = None) -> Self:
        """Draw the merges of a fitted :class:`AgglomerativeClustering`.

        Parameters
        ----------
        estimator : AgglomerativeClustering
        labels : list of str, optional
            Names of the rows.
        ax : matplotlib Axes, optional

        Returns
        -------
        DendrogramDisplay
        """
        Z = getattr(estimator, "linkage_matrix_", None)
        if Z is None or len(Z) + 1 != estimator.n_leaves_:
            need = "a fitted AgglomerativeClustering with a full tree"
            raise check.fail("DendrogramDisplay", "estimator", need, estimator)
        heights, k = np.sort(Z[:, 2]), int(estimator.n_clusters_)
        threshold = 0.5 * (heights[-k] + heights[1 - k]) if 1 < k <= len(Z) else None
        return cls(linkage_matrix=Z, threshold=threshold, labels=labels).plot(ax=ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw the picture.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new figure when absent.

        Returns
        -------
        DendrogramDisplay
        """
        plt = extra("matplotlib.pyplot", "DendrogramDisplay.plot")
        from scipy.cluster.hierarchy import dendrogram

        if ax is None:
            _, ax = plt.subplots(figsize=(7, 4), layout="constrained")
        Z = np.asarray(self.linkage_matrix)
        names = None if self.labels is None else [str(label) for label in self.labels]
        dendrogram(
            Z,
            ax=ax,
            color_threshold=self.threshold,
            above_threshold_color="#888888",
            labels=names,
            no_labels=names is None and len(Z) > 60,
        )
        if self.threshold is not None:
            ax.axhline(self.threshold, color="#888888", lw=0.8, ls="--")
        ax.set(ylabel="distance")
        self.ax_, self.figure_ = ax, ax.figure
        return self
