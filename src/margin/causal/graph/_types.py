"""Names of what causal graphs are made of."""

from collections.abc import Hashable
from typing import Literal

Node = Hashable
Edge = tuple[Node, Node]
Kind = Literal[
    "directed", "undirected", "bidirected", "circle-arrow", "circle-circle", "circle-tail"
]
