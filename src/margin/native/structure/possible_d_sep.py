"""Nodes that may belong to a set that separates two others where causes are hidden."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Bytes = NDArray[np.uint8]


def possible_d_sep(joined: Bytes, heads: Bytes) -> Bytes:
    """Matrix with 1 at (x, z) where a walk leads from x to z that colliders and triangles allow.

    ``joined`` is the symmetric matrix of the edges; ``heads`` has 1 at (b, a) where the edge of a
    and b has an arrowhead at b. Every inner node of a walk is a collider on it, or its neighbours
    on the walk are joined.
    """
    within = np.empty_like(joined)
    _native.possible_d_sep(joined, heads, within)
    return within
