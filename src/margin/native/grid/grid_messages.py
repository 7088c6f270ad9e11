"""Loopy belief propagation on pairwise models with one number of states."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]

SCHEDULES = {"flooding": 0, "residual": 1, "sweep": 2}


def pair_messages(
    unary: Floats,
    edges: NDArray[np.int32],
    kinds: NDArray[np.int32],
    tables: Floats,
    messages: Floats,
    *,
    maximise: bool,
    schedule: str,
    damping: float,
    tol: float,
    max_iter: int,
    n_threads: int,
) -> tuple[Floats, Floats, float]:
    """Update ``messages`` in place until they settle.

    Returns the largest change of every round, the beliefs of the nodes, and the Bethe approximation
    of the log partition function.


    Row ``2 e`` of ``messages`` goes to the second node of edge ``e``, row ``2 e + 1`` to the first.
    ``tables`` has shape (kinds, states, states), its middle axis belonging to the first node.
    """
    trace, beliefs = np.zeros(max_iter), np.empty_like(unary)
    rounds, _, bethe = _native.pair_messages(
        unary, edges, kinds, tables, messages, trace, beliefs, maximise, SCHEDULES[schedule],
        damping, tol, n_threads,
    )  # fmt: skip
    return trace[:rounds], beliefs, float(bethe)
