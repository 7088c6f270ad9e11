"""Edges with a mark at each end, as triples and as text."""

import re
from collections.abc import Hashable, Iterable
from typing import Any

from margin.core import check
from margin.graphs._types import Kind, Node

MarkedEdge = tuple[Node, str, Node]

KIND_OF: dict[str, Kind] = {
    "-->": "directed",
    "<->": "bidirected",
    "---": "undirected",
    "o->": "circle-arrow",
    "o-o": "circle-circle",
    "o--": "circle-tail",
}
SYMBOL_OF: dict[Kind, str] = {kind: symbol for symbol, kind in KIND_OF.items()}
_SHORT = {"->": "-->", "<-": "<--", "--": "---"}
_TURNED = {"<": ">", ">": "<", "o": "o", "-": "-"}
# dagitty writes a circle as @, and so do we read it.
_SYMBOL = re.compile(r"(?<=\s)([<o@-]?-[>o@-]?)(?=\s)")


def checked_marks(owner: object, edges: Iterable[Any]) -> tuple[MarkedEdge, ...]:
    """Edges as triples (node, symbol, node), each turned so that an arrowhead stands right.

    Examples
    --------
    >>> checked_marks("PAG", ["a <-o b", ("b", "--", "c")])
    (('b', 'o->', 'a'), ('b', '---', 'c'))
    """
    return tuple(_checked(owner, edge) for edge in edges)


def _checked(owner: object, edge: Any) -> MarkedEdge:
    parts: tuple[Any, ...] = ()
    if isinstance(edge, str):
        parts = tuple(part.strip() for part in _SYMBOL.split(f"{edge} "))
    elif isinstance(edge, Iterable):
        parts = tuple(edge)
    if len(parts) != 3 or not isinstance(parts[1], str) or "" in parts:
        raise check.fail(owner, "edges", "triples such as ('a', 'o->', 'b')", edge)
    a, symbol, b = parts
    if not (isinstance(a, Hashable) and isinstance(b, Hashable)):
        raise check.fail(owner, "edges", "between hashable nodes", edge)
    symbol = symbol.replace("@", "o")
    symbol = _SHORT.get(symbol, symbol)
    if symbol in KIND_OF:
        return a, symbol, b
    turned = "".join(_TURNED.get(mark, "?") for mark in reversed(symbol))
    if turned not in KIND_OF:
        choices = ", ".join(KIND_OF)
        raise check.fail(owner, "edges", f"with one of {choices}, or turned", symbol)
    return b, turned, a


def read_marks(owner: object, text: str) -> tuple[tuple[str, ...], tuple[MarkedEdge, ...]]:
    """Names and edges of a text: statements by line, ``;`` or ``,``; chains; single names.

    Examples
    --------
    >>> read_marks("PAG", "pag { x y @-> z <-> w }".replace("x", "x;"))
    (('x', 'y', 'z', 'w'), (('y', 'o->', 'z'), ('z', '<->', 'w')))
    """
    wrapped = re.fullmatch(r"\s*(?:pag|mag)?\s*\{(.*)\}\s*", text, flags=re.DOTALL)
    names: dict[str, None] = {}
    edges: list[MarkedEdge] = []
    for statement in re.split(r"[;,\n]", wrapped.group(1) if wrapped else text):
        parts = [part.strip() for part in _SYMBOL.split(f" {statement} ")]
        if parts == [""]:
            continue
        if "" in parts:
            raise check.fail(owner, "text", "of edges such as 'a o-> b'", statement.strip())
        nodes = [_bare(part) for part in parts[::2]]
        names.update(dict.fromkeys(nodes))
        edges += [
            _checked(owner, (a, symbol, b))
            for a, symbol, b in zip(nodes, parts[1::2], nodes[1:], strict=False)
        ]
    return tuple(names), tuple(edges)


def _bare(name: str) -> str:
    quoted = len(name) > 1 and name[0] == name[-1] == '"'
    return name[1:-1].replace('\\"', '"') if quoted else name
