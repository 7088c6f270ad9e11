"""Graphs read from Graphviz's language."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from margin.core import check
from margin.graphs._types import Kind, Node

_TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*"|->|--|[\[\]{};,=:]|-?(?:\.\d+|\d+(?:\.\d*)?)(?![\w])|[^\W\d][\w.]*|\d\w*'
)
_COMMENT = re.compile(
    r'("(?:[^"\\]|\\.)*")|/\*.*?\*/|//[^\n]*|^\s*#[^\n]*', re.DOTALL | re.MULTILINE
)
_ENDS = {"none": "tail", "odot": "circle"}
_KINDS: dict[tuple[str, str], Kind] = {
    ("tail", "arrow"): "directed",
    ("tail", "tail"): "undirected",
    ("arrow", "arrow"): "bidirected",
    ("circle", "arrow"): "circle-arrow",
    ("circle", "circle"): "circle-circle",
    ("circle", "tail"): "circle-tail",
}
Attributes = dict[str, str]
Link = tuple[Node, Node, Kind]


@dataclass
class _Parts:
    nodes: dict[str, Attributes] = field(default_factory=dict)
    edges: list[tuple[str, str, Attributes]] = field(default_factory=list)


def links_of_dot(text: str, owner: str) -> tuple[list[Node], list[Link]]:
    """Nodes and typed edges of ``digraph { a -> b; b -> c [dir=both] }``.

    Chains, groups in braces, subgraphs and ``edge [...]`` are understood; ``dir``, ``arrowhead``
    and ``arrowtail`` say what an edge is, and nodes are called by their labels where these differ.

    Examples
    --------
    >>> links_of_dot("digraph { sun -> ice; {sun fun} -> tan [dir=both] }", "MixedGraph")[1][:2]
    [('sun', 'ice', 'directed'), ('sun', 'tan', 'bidirected')]
    """
    if not isinstance(text, str):
        raise check.fail(owner, "text", "a string in Graphviz's language", type(text).__name__)
    plain = _COMMENT.sub(lambda match: match.group(1) or " ", text)
    tokens = [match.group() for match in _TOKEN.finditer(plain)]
    if "".join(plain.split()) != "".join("".join(tokens).split()):
        raise check.fail(owner, "text", "in Graphviz's language", text[:60])
    head = [tokens.pop(0) for _ in range(len(tokens)) if tokens[0] != "{"]
    known = [word for word in head[:2] if word in ("graph", "digraph")]
    if not known or not tokens or tokens[-1] != "}":
        raise check.fail(owner, "text", "of the form 'digraph { … }'", text[:60])
    reader = _Reader(owner, tokens[1:-1])
    reader.statements({}, closing="")
    return _named(owner, reader.parts)


class _Reader:
    def __init__(self, owner: str, tokens: list[str]) -> None:
        self.owner, self.tokens, self.at, self.parts = owner, tokens, 0, _Parts()

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted: str = "") -> str:
        token = self.peek()
        if not token or (wanted and token != wanted):
            raise check.fail(
                self.owner, "text", f"with {wanted or 'a name'!r} here", token or "an end"
            )
        self.at += 1
        return token

    def statements(self, style: Attributes, closing: str) -> list[str]:
        """All statements up to a brace; the nodes that they name."""
        style, named = dict(style), dict[str, None]()
        while self.peek() != closing:
            if self.peek() in (";", ","):
                self.take()
                continue
            named |= dict.fromkeys(self._statement(style))
        return list(named)

    def _statement(self, style: Attributes) -> list[str]:
        left = self._group(style)
        if self.peek() == "=":  # a setting such as rankdir=LR
            self.take(), self.take()
            return []
        if left in (["node"], ["edge"], ["graph"]) and self.peek() == "[":
            given = self._attributes()
            if left == ["edge"]:
                style |= given
            return []
        every, pairs = list(left), []
        for node in left:
            self.parts.nodes.setdefault(node, {})
        while self.peek() in ("->", "--"):
            arrow = self.take()
            right = self._group(style)
            for node in right:
                self.parts.nodes.setdefault(node, {})
            pairs += [(a, b, arrow) for a in left for b in right]
            every, left = every + right, right
        given = self._attributes() if self.peek() == "[" else {}
        if not pairs:
            for node in left:
                self.parts.nodes[node] |= given
        for a, b, arrow in pairs:
            way = {"dir": "forward" if arrow == "->" else "none"}
            self.parts.edges.append((a, b, {**way, **style, **given}))
        return every

    def _group(self, style: Attributes) -> list[str]:
        token = self.take()
        if token == "subgraph":
            token = self.take()
            token = token if token == "{" else self.take("{")
        if token == "{":
            named = self.statements(style, closing="}")
            self.take("}")
            return named
        name = self._name(token)
        while self.peek() == ":":  # where the line touches the node
            self.take(), self.take()
        return [name]

    def _attributes(self) -> Attributes:
        settings: Attributes = {}
        while self.peek() == "[":
            self.take()
            while self.peek() != "]":
                if self.peek() in (";", ","):
                    self.take()
                    continue
                key = self._name(self.take())
                if self.peek() == "=":
                    self.take()
                    settings[key] = self._name(self.take())
            self.take("]")
        return settings

    def _name(self, token: str) -> str:
        if token in ("->", "--", "[", "]", "}", "{", "=", ",", ";", ":"):
            raise check.fail(self.owner, "text", "a name here", repr(token))
        if not token.startswith('"'):
            return token
        return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], token[1:-1])


def _named(owner: str, parts: _Parts) -> tuple[list[Node], list[Link]]:
    """Nodes by their labels, unless two have the same, and edges by their kinds."""
    called = {node: given.get("label", node) for node, given in parts.nodes.items()}
    if len(set(called.values())) < len(called):
        called = {node: node for node in called}
    boxes = {node for node, given in parts.nodes.items() if given.get("shape") == "box"}
    links: list[Link] = []
    for a, b, style in parts.edges:
        way = style["dir"]
        if way not in ("forward", "back", "both", "none"):
            raise check.fail(owner, "dir", "forward, back, both or none", way)
        tail = _end(style, "arrowtail") if way in ("back", "both") else "tail"
        head = _end(style, "arrowhead") if way in ("forward", "both") else "tail"
        # A factor stands behind its variable.
        turned = (tail, head) not in _KINDS or (tail == head and a in boxes and b not in boxes)
        first, second = (b, a) if turned else (a, b)
        kind = _KINDS[(head, tail) if turned else (tail, head)]
        links.append((called[first], called[second], kind))
    return list(called.values()), links


def _end(style: Attributes, which: str) -> str:
    return _ENDS.get(style.get(which, "normal"), "arrow")
