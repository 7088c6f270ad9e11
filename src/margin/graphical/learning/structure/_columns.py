"""From frames to what the search engines work on, and back to named graphs."""

from __future__ import annotations

from typing import Any

import numpy as np

from margin.core import check
from margin.graphs import DAG, PDAG
from margin.search import Categories, Knowledge, Moments

MODELS = ("categorical", "gaussian")


def read(owner: Any, frame: Any, model: str, sample_weight: Any = None) -> Categories | Moments:
    """Columns of a frame as categories or as Gaussian moments.

    Examples
    --------
    >>> read("HillClimb", [["a", 1], ["b", 2]], "categorical").states
    (('a', 'b'), (1, 2))
    """
    if model == "gaussian":
        return Moments.of(owner, frame, sample_weight=sample_weight)
    return Categories.of(owner, frame, sample_weight=sample_weight)


def knowledge(owner: Any, names: tuple[Any, ...]) -> Knowledge:
    """Background knowledge in an estimator's ``required``, ``forbidden`` and ``tiers``."""
    return Knowledge.of(
        owner, names, required=owner.required, forbidden=owner.forbidden, tiers=owner.tiers
    )


def parent_limit(owner: Any) -> None:
    """Refuse a ``max_parents`` that is neither ``None`` nor a whole number."""
    if owner.max_parents is not None:
        check.params(owner, count="max_parents")


def starting_graph(owner: Any, names: tuple[Any, ...], known: Knowledge) -> Any:
    """Adjacency of the graph, or list of arcs, in ``start``; ``None`` for an empty start."""
    if owner.start is None:
        return None
    arcs = getattr(owner.start, "edges", owner.start)
    first = Knowledge.of(owner, names, required=arcs).required
    if (first & known.forbidden).any():
        i, j = np.argwhere(first & known.forbidden)[0]
        raise check.fail(owner, "start", "without forbidden arcs", (names[i], names[j]))
    if owner.max_parents is not None and first.sum(axis=0).max(initial=0) > owner.max_parents:
        requirement = f"a graph of at most {owner.max_parents} parents per node"
        raise check.fail(owner, "start", requirement, int(first.sum(axis=0).max()))
    return first


def dag(adjacency: Any, names: tuple[Any, ...]) -> DAG:
    """Graph with names for numbers."""
    return DAG.from_adjacency(np.asarray(adjacency), names)


def pdag(adjacency: Any, names: tuple[Any, ...]) -> PDAG:
    """Partially directed graph with names for numbers."""
    return PDAG.from_adjacency(np.asarray(adjacency), names)


def remember(owner: Any, frame: Any, names: tuple[Any, ...]) -> None:
    """Store what every estimator says about its columns."""
    owner.n_features_in_ = len(names)
    if hasattr(frame, "columns"):
        owner.feature_names_in_ = np.array(names, dtype=object)
    elif hasattr(owner, "feature_names_in_"):
        del owner.feature_names_in_
