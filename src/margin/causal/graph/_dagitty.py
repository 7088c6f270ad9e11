"""The text format of dagitty."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from margin.causal.graph._types import Edge, Node
from margin.core import check

_TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*"|<->|->|<-|--|[\[\]{},;=]|[^\s\[\]{},;="<>-]+(?:-(?!>)[^\s\[\]{},;="<>-]+)*'
)
_ARROWS = ("->", "<-", "<->", "--")


@dataclass
class DagittyText:
    """What a text names: nodes in order, edges by kind, and the marks on nodes."""

    nodes: dict[str, None] = field(default_factory=dict)
    directed: list[tuple[str, str]] = field(default_factory=list)
    bidirected: list[tuple[str, str]] = field(default_factory=list)
    latent: list[str] = field(default_factory=list)
    exposures: list[str] = field(default_factory=list)
    outcomes: list[str] = field(default_factory=list)


def parse_dagitty(text: str) -> DagittyText:
    """Read ``dag { x -> y; y <-> z; u [latent] }``.

    Chains such as ``a -> b <- c`` and groups such as ``{a b} -> c`` are understood; positions and
    other attributes are passed over.

    Examples
    --------
    >>> parse_dagitty("dag { u [latent] u -> {x y} x -> m -> y }").directed
    [('u', 'x'), ('u', 'y'), ('x', 'm'), ('m', 'y')]
    """
    tokens = [match.group() for match in _TOKEN.finditer(_without_comments(text))]
    if "".join(_without_comments(text).split()) != "".join("".join(tokens).split()):
        raise check.fail("from_dagitty", "text", "in dagitty's format", text[:60])
    while tokens and tokens[0] != "{":
        word = tokens.pop(0)
        if word in ("pdag", "mag", "pag"):
            raise check.fail("from_dagitty", "text", "a graph of kind 'dag'", word)
    if not tokens or tokens[-1] != "}":
        raise check.fail("from_dagitty", "text", "of the form 'dag { … }'", text[:60])
    parts = DagittyText()
    _Reader(tokens[1:-1], parts).read()
    return parts


def _without_comments(text: str) -> str:
    return re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.DOTALL)


class _Reader:
    def __init__(self, tokens: list[str], parts: DagittyText) -> None:
        self.tokens, self.at, self.parts = tokens, 0, parts

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        if not token:
            raise check.fail("from_dagitty", "text", "complete", "an end in mid-statement")
        self.at += 1
        return token

    def read(self) -> None:
        """All statements."""
        while self.at < len(self.tokens):
            if self.peek() in (";", ","):
                self.take()
                continue
            self._statement()

    def _statement(self) -> None:
        left = self._group()
        if self.peek() == "=":  # a setting of the whole graph, such as bb="0,0,1,1"
            self.take(), self.take()
            for name in left:
                self.parts.nodes.pop(name, None)
            return
        while self.peek() in _ARROWS:
            arrow = self.take()
            right = self._group()
            self._connect(left, arrow, right)
            left = right
        if self.peek() == "[":
            self._marks(left)

    def _group(self) -> list[str]:
        token = self.take()
        if token != "{":
            name = _name(token)
            self.parts.nodes.setdefault(name, None)
            return [name]
        names: list[str] = []
        while self.peek() != "}":
            if self.peek() in (";", ","):
                self.take()
                continue
            names += self._group()
        self.take()
        return names

    def _connect(self, left: Sequence[str], arrow: str, right: Sequence[str]) -> None:
        if arrow == "--":
            raise check.fail("from_dagitty", "text", "of arrows and bidirected edges", "'--'")
        for a in left:
            for b in right:
                if arrow == "<->":
                    self.parts.bidirected.append((a, b))
                else:
                    self.parts.directed.append((a, b) if arrow == "->" else (b, a))

    def _marks(self, names: Sequence[str]) -> None:
        lists = {
            "latent": self.parts.latent,
            "unobserved": self.parts.latent,
            "exposure": self.parts.exposures,
            "outcome": self.parts.outcomes,
        }
        self.take()
        while (word := self.take()) != "]":
            if word in lists:
                lists[word] += names


def _name(token: str) -> str:
    if token in (*_ARROWS, "[", "]", "}", "=", ",", ";"):
        raise check.fail("from_dagitty", "text", "a name here", repr(token))
    return token[1:-1].replace('\\"', '"') if token.startswith('"') else token


def dagitty_text(
    nodes: Sequence[Node], directed: Sequence[Edge], bidirected: Sequence[Edge]
) -> str:
    """A graph in dagitty's language.

    Examples
    --------
    >>> print(dagitty_text(["x", "y"], [("x", "y")], [("x", "y")]))
    dag {
      x
      y
      x -> y
      x <-> y
    }
    """
    lines = [f"  {_quoted(node)}" for node in nodes]
    lines += [f"  {_quoted(a)} -> {_quoted(b)}" for a, b in directed]
    lines += [f"  {_quoted(a)} <-> {_quoted(b)}" for a, b in bidirected]
    return "\n".join(["dag {", *lines, "}"])


def _quoted(node: Node) -> str:
    text = str(node)
    if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.]*", text):
        return text
    return '"' + text.replace('"', '\\"') + '"'
