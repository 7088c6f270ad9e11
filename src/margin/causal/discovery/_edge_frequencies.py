"""How often an edge is found again in other samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone

from margin.core import Sequences, check, random
from margin.core.types import Floats


@dataclass(frozen=True, eq=False)
class EdgeFrequencies:
    """Shares of bootstrap samples in which edges were found.

    Parameters
    ----------
    names : tuple
        Names of the columns.
    directed : ndarray of shape (p, p)
        Entry [i, j]: share of samples with the arrow j -> i.
    joined : ndarray of shape (p, p)
        Share of samples with an edge of any kind between i and j.
    n_samples : int
    """

    names: tuple[Any, ...]
    directed: Floats
    joined: Floats
    n_samples: int

    def arrows(self, least: float = 0.5) -> tuple[tuple[Any, Any, float], ...]:
        """Arrows (cause, effect, share) found in at least this share of samples, surest first."""
        arrows = [
            (self.names[j], self.names[i], float(self.directed[i, j]))
            for i, j in np.argwhere(self.directed >= max(least, 1e-12)).tolist()
        ]
        return tuple(sorted(arrows, key=lambda arrow: -arrow[2]))


def bootstrap_edges(
    estimator: Any, X: Any, *, n_samples: int = 100, random_state: Any = None
) -> EdgeFrequencies:
    """Fit a learner of graphs on samples of the rows with replacement, and count the edges.

    Parameters
    ----------
    estimator : learner with ``graph_``
        Cloned; it stays as it is. Of this package or of :mod:`margin.graphical`.
    X : frame or two-dimensional array
        Rows to draw from. For learners of series, with ``max_lag``, blocks of moments are drawn
        that stay apart, or whole series from a list.
    n_samples : int
        Samples, each as large as ``X``.
    random_state : int, Generator or RandomState, optional

    Examples
    --------
    >>> import numpy as np
    >>> from margin.causal import DirectLiNGAM, bootstrap_edges
    >>> rng = np.random.default_rng(0)
    >>> cause = rng.uniform(size=500)
    >>> X = np.column_stack([cause, cause + rng.uniform(size=500)])
    >>> bootstrap_edges(DirectLiNGAM(), X, n_samples=20, random_state=0).arrows()
    ((0, 1, 1.0),)
    """
    if isinstance(n_samples, bool) or not isinstance(n_samples, int) or n_samples < 1:
        raise check.fail("bootstrap_edges", "n_samples", "an integer of at least 1", n_samples)
    rng = random.generator(random_state)
    graphs = []
    for _ in range(n_samples):
        drawn = (
            _series(X, estimator.max_lag, rng) if hasattr(estimator, "max_lag") else _rows(X, rng)
        )
        graphs.append(clone(estimator).fit(drawn).graph_)
    names = _names(X, graphs[0].nodes)
    place = {name: at for at, name in enumerate(names)}
    directed, joined = np.zeros((len(names),) * 2), np.zeros((len(names),) * 2)
    for a, b, kind in (link for graph in graphs for link in graph.links()):
        i, j = place[a], place[b]
        joined[i, j] += 1
        joined[j, i] += 1
        directed[j, i] += kind == "directed"
    return EdgeFrequencies(names, directed / n_samples, joined / n_samples, n_samples)


def _names(X: Any, nodes: tuple[Any, ...]) -> tuple[Any, ...]:
    """Columns in their order; the nodes of a graph of series, which has one for every lag."""
    columns = tuple(getattr(X, "columns", range(len(nodes))))
    return columns if set(columns) == set(nodes) else tuple(nodes)


def _rows(X: Any, rng: np.random.Generator) -> Any:
    frame = X if hasattr(X, "columns") else np.asarray(X)
    return _taken(frame, rng.integers(len(frame), size=len(frame)))


def _series(X: Any, max_lag: int, rng: np.random.Generator) -> list[Any]:
    """Blocks of a series, or whole series where there are several, that stay apart."""
    if isinstance(X, Sequences | list | tuple):
        parts = list(X)
        return [parts[at] for at in rng.integers(len(parts), size=len(parts))]
    frame = X if hasattr(X, "columns") else np.asarray(X)
    length = min(len(frame), max(10 * (max_lag + 1), int(np.sqrt(len(frame)))))
    starts = rng.integers(len(frame) - length + 1, size=-(-len(frame) // length))
    return [_taken(frame, np.arange(start, start + length)) for start in starts]


def _taken(frame: Any, rows: np.ndarray) -> Any:
    return frame.iloc[rows] if hasattr(frame, "iloc") else frame[rows]
