"""Nodes that may belong to a set that separates two others where causes are hidden."""

from __future__ import annotations

from margin.core.types import Bytes
from margin.graphs import Marks
from margin.graphs.bits._matrices import matrix_of_rows
from margin.native.structure import possible_d_sep as native


def possible_d_sep(marks: Marks) -> Bytes:
    """Matrix with 1 at (x, z) where z may be needed to separate x from another node.

    A walk leads from x to z on which every inner node is a collider, or joined to the others of its
    triple: its neighbours on the walk are then joined too.

    Examples
    --------
    >>> from margin.graphs import PAG, Marks
    >>> possible_d_sep(Marks.of(PAG(["a o-> b", "b <-o c", "c o-o d"]))).tolist()
    [[0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 0, 1], [0, 0, 1, 0]]
    """
    p = len(marks.heads)
    return native.possible_d_sep(matrix_of_rows(marks.joined(), p), matrix_of_rows(marks.heads, p))
