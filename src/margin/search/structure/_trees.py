"""Trees of largest likelihood."""

from __future__ import annotations

import numpy as np

from margin.core.types import Floats, Places
from margin.search.structure._categories import Categories


def mutual_information(counts: Floats) -> float:
    """Mutual information, in nats, of the rows and columns of a table of counts.

    Examples
    --------
    >>> import numpy as np
    >>> round(mutual_information(np.array([[2.0, 0.0], [0.0, 2.0]])), 6)
    0.693147
    """
    total = counts.sum()
    if total <= 0:
        return 0.0
    joint = counts / total
    outer = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    some = joint > 0
    return max(0.0, float((joint[some] * np.log(joint[some] / outer[some])).sum()))


def information_matrix(data: Categories, given: int | None = None) -> Floats:
    """Mutual information of every pair of columns, or that given one column."""
    p = len(data.names)
    information = np.zeros((p, p))
    for i in range(p):
        for j in range(i + 1, p):
            if given is None:
                value = mutual_information(data.counts([i, j]))
            elif given in (i, j):
                continue
            else:
                tables = data.counts([given, i, j])
                share = tables.sum(axis=(1, 2)) / max(tables.sum(), 1e-300)
                value = float(share @ [mutual_information(t) for t in tables])
            information[i, j] = information[j, i] = value
    return information


def maximum_spanning_tree(
    weight: Floats, root: int, nodes: Places | None = None
) -> list[tuple[int, int]]:
    """Arcs (parent, child) of the tree of largest total weight over ``nodes``, away from ``root``.

    Ties are broken by the nodes' numbers.

    Examples
    --------
    >>> import numpy as np
    >>> maximum_spanning_tree(np.array([[0, 3, 1], [3, 0, 2], [1, 2, 0.0]]), 0)
    [(0, 1), (1, 2)]
    """
    outside = sorted(set(range(len(weight)) if nodes is None else nodes.tolist()) - {root})
    best = {j: (weight[root, j], root) for j in outside}
    arcs = []
    while best:
        child = max(best, key=lambda j: (best[j][0], -j))
        arcs.append((best.pop(child)[1], child))
        for j in best:
            if weight[child, j] > best[j][0]:
                best[j] = (weight[child, j], child)
    return arcs
