"""Greedy search over equivalence classes of directed acyclic graphs."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Bytes = NDArray[np.uint8]
Step = tuple[float, int, int, list[int]]

PHASES = {"insert": 0, "remove": 1, "turn": 2}


def class_search(
    scorer: Any,
    adjacency: Bytes,
    forbidden: Bytes,
    required: Bytes,
    separated: Bytes,
    *,
    max_degree: int,
    max_steps: int,
    tol: float,
    n_threads: int,
) -> Any:
    """State of a search that starts at the class of ``adjacency``; see :func:`improve`.

    ``separated`` marks the pairs whose arrow interventions reveal. At most ``max_steps`` steps are
    scored in all.
    """
    return _native.ClassSearch(
        scorer, adjacency, forbidden, required, separated, max_degree, max_steps, tol, n_threads
    )


def improve(search: Any, phase: str) -> Step | None:
    """Make the best valid step: gain, tail, head, neighbours that point at the head.

    None where no valid step gains more than ``tol``. A keyboard interrupt ends it without a step.
    """
    step: Step | None = search.improve(PHASES[phase])
    return step


def valid_steps(search: Any, phase: str) -> list[Step]:
    """All valid steps of a kind that gain more than ``tol``; none of them is made."""
    steps: list[Step] = search.steps(PHASES[phase])
    return steps


def class_matrix(search: Any, n_nodes: int, informed: bool) -> Bytes:
    """The class as a matrix: 1 at (parent, child), both ways where an edge is undirected.

    ``informed``: with the arrows that background knowledge adds.
    """
    out = np.empty((n_nodes, n_nodes), dtype=np.uint8)
    search.write(informed, out)
    return out
