"""Steps from the root to each node of a forest."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.native import _native


def node_depths(
    left: NDArray[Any], right: NDArray[Any], offsets: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Depth of every node; -1 for one that no root leads to.

    Children are numbers of nodes of their tree, negative where there is none; the nodes of tree
    ``t`` are those from ``offsets[t]`` up to ``offsets[t + 1]``.
    """
    depth = np.empty(len(left), dtype=np.int64)
    _native.node_depths(
        np.ascontiguousarray(left, dtype=np.int32),
        np.ascontiguousarray(right, dtype=np.int32),
        np.ascontiguousarray(offsets, dtype=np.int64),
        depth,
    )
    return depth
