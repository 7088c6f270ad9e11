"""Statements of conditional independence, those a graph implies and those a table holds."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from margin.graphs._types import Node
from margin.graphs.bits import _sets
from margin.graphs.bits._separation import bayes_ball, cut_off
from margin.graphs.kinds._chain_graph import ChainGraph
from margin.graphs.kinds._checks import checked_nodes
from margin.graphs.kinds._dag import DAG
from margin.graphs.kinds._graph import Graph
from margin.graphs.kinds._mixed import MixedGraph
from margin.graphs.kinds._undirected import UndirectedGraph
from margin.graphs.separation._separation import d_separated, separated

Oracle = Callable[[list[Node], list[Node], list[Node]], bool]
"""Answers whether two sets of nodes are independent given a third."""

GLOBAL_LIMIT = 9


@dataclass(frozen=True)
class Independence:
    """The statement that ``X`` and ``Y`` are independent given ``given``.

    Equal whichever of the two sets is named first.

    Examples
    --------
    >>> print(Independence(("a",), ("b",), ("c",)))
    a ⊥ b | c
    >>> Independence(("a",), ("b",)) == Independence(("b",), ("a",))
    True
    """

    X: tuple[Node, ...]
    Y: tuple[Node, ...]
    given: tuple[Node, ...] = ()

    def _content(self) -> tuple[frozenset[frozenset[Node]], frozenset[Node]]:
        return frozenset((frozenset(self.X), frozenset(self.Y))), frozenset(self.given)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Independence):
            return NotImplemented
        return self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())

    def __str__(self) -> str:
        left, right, given = (", ".join(map(str, part)) for part in (self.X, self.Y, self.given))
        return f"{left} ⊥ {right}" + (f" | {given}" if given else "")


def independences(graph: Graph, *, pairs: bool = False) -> Iterator[Independence]:
    """Every independence a graph implies, the set I(G) (graphs.15).

    Parameters
    ----------
    graph : DAG, UndirectedGraph, ChainGraph or MixedGraph
        Read by d-separation, separation, or their counterpart.
    pairs : bool
        Only statements about two single nodes, given any set. In a graph the others follow from
        these: two sets are separated exactly when all their pairs are.

    Yields
    ------
    Independence
        Each statement once.

    Notes
    -----
    Their number grows as 4 to the number of nodes: more than 9 nodes are refused unless ``pairs``,
    more than 20 always.

    Examples
    --------
    >>> collider = DAG.from_edges([("a", "c"), ("b", "c")])
    >>> [str(statement) for statement in independences(collider)]
    ['a ⊥ b']
    """
    limit = 20 if pairs else GLOBAL_LIMIT
    if len(graph) > limit:
        raise ValueError(f"independences: graph must have at most {limit} nodes, got {len(graph)}")
    every = (1 << len(graph)) - 1
    for z in _sets.subsets(every):
        free = every & ~z
        for i in _sets.members(free):
            for x in [0] if pairs else _sets.subsets(free >> (i + 1) << (i + 1)):
                x |= 1 << i
                apart = free & ~x & ~_reached(graph, x, z)
                # The set with the lower first node is X, so that no statement comes twice.
                apart = apart >> (i + 1) << (i + 1)
                targets = (1 << j for j in _sets.members(apart)) if pairs else _sets.subsets(apart)
                for y in targets:
                    if y:
                        yield Independence(graph.named(x), graph.named(y), graph.named(z))


def _reached(graph: Graph, x: int, z: int) -> int:
    """Nodes dependent on ``x`` given ``z``, as far as the graph says."""
    if isinstance(graph, DAG):
        return bayes_ball(graph._parents, graph._children, x, z)
    if isinstance(graph, UndirectedGraph):
        return cut_off(graph._neighbours, x, z)
    if isinstance(graph, MixedGraph):
        return graph._connected(x, z)
    left = (1 << len(graph)) - 1 & ~x & ~z
    independent = separation_oracle(graph)
    start, given = list(graph.named(x)), list(graph.named(z))
    return _sets.mask(
        j for j in _sets.members(left) if not independent(start, [graph.nodes[j]], given)
    )


def separation_oracle(graph: Graph) -> Oracle:
    """Oracle that answers as a graph does.

    Examples
    --------
    >>> independent = separation_oracle(DAG.from_edges([("a", "c"), ("b", "c")]))
    >>> independent(["a"], ["b"], []), independent(["a"], ["b"], ["c"])
    (True, False)
    """
    if isinstance(graph, DAG):
        return lambda X, Y, given: d_separated(graph, X, Y, given)
    if isinstance(graph, UndirectedGraph):
        return lambda X, Y, given: separated(graph, X, Y, given)
    if isinstance(graph, ChainGraph):
        return graph.separated
    if isinstance(graph, MixedGraph):
        return graph.m_separated
    raise TypeError(
        f"separation_oracle: graph must imply independences, got {type(graph).__name__}"
    )


def table_oracle(
    joint: ArrayLike, nodes: Iterable[Node] | None = None, *, tol: float = 1e-10
) -> Oracle:
    r"""Oracle that looks at a table of joint probabilities.

    :math:`X \perp Y \mid Z` when :math:`p(x, y, z)\, p(z) = p(x, z)\, p(y, z)` everywhere.

    Parameters
    ----------
    joint : array-like
        One axis per variable; need not sum to one.
    nodes : iterable of hashable, optional
        Names of the axes, by default 0, 1, …
    tol : float
        Largest difference that counts as equal.

    Examples
    --------
    >>> import numpy as np
    >>> xor = np.zeros((2, 2, 2))
    >>> for a in range(2):
    ...     for b in range(2):
    ...         xor[a, b, a ^ b] = 0.25
    >>> independent = table_oracle(xor, ["a", "b", "c"])
    >>> independent(["a"], ["b"], []), independent(["a"], ["b"], ["c"])
    (True, False)
    """
    table = np.asarray(joint, dtype=np.float64)
    if not np.all(np.isfinite(table)) or np.any(table < 0) or not table.sum() > 0:
        raise ValueError("table_oracle: joint must be finite, not negative and not all zero")
    table = table / table.sum()
    index = checked_nodes("table_oracle", range(table.ndim) if nodes is None else nodes)
    if len(index) != table.ndim:
        raise ValueError(f"table_oracle: nodes must name {table.ndim} axes, got {len(index)}")

    def marginal(keep: set[int]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        rest = tuple(i for i in range(table.ndim) if i not in keep)
        summed: np.ndarray[tuple[int, ...], np.dtype[np.float64]] = table.sum(rest, keepdims=True)
        return summed

    def independent(X: list[Node], Y: list[Node], given: list[Node]) -> bool:
        x, y, z = ({index[node] for node in part} for part in (X, Y, given))
        left = marginal(x | y | z) * marginal(z)
        return bool(np.max(np.abs(left - marginal(x | z) * marginal(y | z))) <= tol)

    return independent
