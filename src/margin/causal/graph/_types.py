"""Names of what causal graphs are made of."""

from margin.graphs._types import Edge, Kind, Node

__all__ = ["Edge", "Kind", "Node"]
