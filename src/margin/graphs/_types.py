"""Names of what graphs are made of."""

from collections.abc import Hashable
from typing import Literal

Node = Hashable
Edge = tuple[Node, Node]
Kind = Literal[
    "directed", "undirected", "bidirected", "circle-arrow", "circle-circle", "circle-tail"
]
ONE_WAY: tuple[Kind, ...] = ("directed", "circle-arrow", "circle-tail")
"""Kinds of edges whose ends differ."""
