"""Slices at random."""

import numpy as np

from margin.core.types import Floats, Indices
from margin.graphs import DAG
from margin.sequence.dynamic_network._slices import Slices
from margin.sequence.dynamic_network._tables import Tables


def drawn_slices(
    slices: Slices, tables: Tables, n: int, length: int, rng: np.random.Generator
) -> Indices:
    """Codes of shape (n, length, variables): parents before children, slice after slice."""
    arcs = [(p, v) for v in range(slices.n) for p in slices.parents[v]]
    order = DAG(nodes=range(slices.n), edges=arcs).topological_order()
    codes = np.zeros((n, length, slices.n), dtype=np.int64)
    for t in range(length):
        for node in order:
            v = int(str(node))
            above = [codes[:, t, p] for p in slices.parents[v]]
            table = tables.first[v]
            if t:
                table = tables.later[v]
                above = [codes[:, t - 1, p] for p in slices.lagged[v]] + above
            rows = table[tuple(above)] if above else np.broadcast_to(table, (n, len(table)))
            codes[:, t, v] = _drawn(rows, rng)
    return codes


def _drawn(rows: Floats, rng: np.random.Generator) -> Indices:
    sums = np.cumsum(rows, axis=1)
    level = rng.random(len(rows))[:, None] * sums[:, -1:]
    return np.asarray(np.minimum((sums <= level).sum(axis=1), rows.shape[1] - 1))
