"""XMLBIF, the Interchange Format in XML, in and out."""

from __future__ import annotations

from typing import Any
from xml.parsers import expat
from xml.sax.saxutils import escape

import numpy as np

from margin.core.types import Floats
from margin.graphical._network import Network
from margin.graphical.formats._network_file import EntryBudget, ParsedNetwork

_DEEPEST = 32


def parse_xmlbif(text: str) -> ParsedNetwork:
    """States, parents and tables of an XMLBIF text.

    Entities and external documents are refused, nesting and table sizes are bounded.

    Examples
    --------
    >>> parsed = parse_xmlbif('''<BIF VERSION="0.3"><NETWORK>
    ... <VARIABLE TYPE="nature"><NAME>coin</NAME><OUTCOME>head</OUTCOME><OUTCOME>tail</OUTCOME>
    ... </VARIABLE><DEFINITION><FOR>coin</FOR><TABLE>0.5 0.5</TABLE></DEFINITION>
    ... </NETWORK></BIF>''')
    >>> parsed.states, parsed.tables["coin"].tolist()
    ({'coin': ('head', 'tail')}, [0.5, 0.5])
    """
    handler = _Handler()
    # The text is decoded already, whatever encoding the file declares.
    reader = expat.ParserCreate("utf-8")
    reader.buffer_text = True
    reader.StartElementHandler = handler.start
    reader.EndElementHandler = handler.end
    reader.CharacterDataHandler = handler.characters
    reader.EntityDeclHandler = _refuse_entities
    reader.ExternalEntityRefHandler = _refuse_entities
    try:
        reader.Parse(text.encode(), True)
    except expat.ExpatError as error:
        raise ValueError(f"from_xmlbif: file must be well-formed XML, got {error}") from None
    return handler.network()


def _refuse_entities(*_: Any) -> int:
    raise ValueError("from_xmlbif: file must declare no entities, got one")


class _Handler:
    def __init__(self) -> None:
        self.path: list[str] = []
        self.words: list[str] = []
        self.block: dict[str, list[str]] = {}
        self.states: dict[str, tuple[str, ...]] = {}
        self.definitions: list[dict[str, list[str]]] = []

    def start(self, tag: str, _: dict[str, str]) -> None:
        self.path.append(tag.upper())
        if len(self.path) > _DEEPEST:
            raise ValueError(
                f"from_xmlbif: elements must be nested at most {_DEEPEST} deep, got more"
            )
        self.words = []
        if tag.upper() in ("VARIABLE", "DEFINITION", "PROBABILITY"):
            self.block = {}

    def characters(self, text: str) -> None:
        self.words.append(text)

    def end(self, tag: str) -> None:
        tag = self.path.pop()
        text, self.words = "".join(self.words).strip(), []
        inside = self.path[-1] if self.path else ""
        if tag == "VARIABLE":
            self.variable()
        elif tag in ("DEFINITION", "PROBABILITY"):
            self.definitions.append(self.block)
        elif inside in ("VARIABLE", "DEFINITION", "PROBABILITY"):
            self.block.setdefault({"VALUE": "OUTCOME"}.get(tag, tag), []).append(text)

    def variable(self) -> None:
        names, states = self.block.get("NAME", []), self.block.get("OUTCOME", [])
        if len(names) != 1 or not states:
            raise ValueError(
                "from_xmlbif: VARIABLE must hold one NAME and at least one OUTCOME, "
                f"got {len(names)} and {len(states)}"
            )
        if names[0] in self.states:
            raise ValueError(f"from_xmlbif: variables must differ, got {names[0]!r} twice")
        self.states[names[0]] = tuple(states)

    def network(self) -> ParsedNetwork:
        budget = EntryBudget("from_xmlbif")
        parents: dict[str, tuple[str, ...]] = {}
        tables: dict[str, Floats] = {}
        for block in self.definitions:
            node, given = _one(block, "FOR"), tuple(block.get("GIVEN", ()))
            for name in (node, *given):
                if name not in self.states:
                    raise ValueError(f"from_xmlbif: {name!r} must be a declared variable")
            if node in tables:
                raise ValueError(f"from_xmlbif: {node!r} must have one DEFINITION, got two")
            shape = [len(self.states[n]) for n in (*given, node)]
            parents[node] = given
            tables[node] = _numbers(node, _one(block, "TABLE"), budget.spend(node, shape), shape)
        for name in self.states:
            if name not in tables:
                raise ValueError(f"from_xmlbif: {name!r} must have a DEFINITION, got none")
        return ParsedNetwork(self.states, parents, tables)


def _one(block: dict[str, list[str]], tag: str) -> str:
    elements = block.get(tag, [])
    if len(elements) != 1:
        raise ValueError(f"from_xmlbif: DEFINITION must hold one {tag}, got {len(elements)}")
    return elements[0]


def _numbers(node: str, text: str, entries: int, shape: list[int]) -> Floats:
    words = text.split()
    if len(words) != entries:
        raise ValueError(
            f"from_xmlbif: TABLE of {node!r} must hold {entries} numbers, got {len(words)}"
        )
    try:
        return np.array(list(map(float, words))).reshape(shape)
    except ValueError as error:
        raise ValueError(f"from_xmlbif: TABLE of {node!r} must hold numbers, {error}") from None


def write_xmlbif(network: Network) -> str:
    """Text of a discrete network in XMLBIF 0.3, with all digits of the numbers."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<BIF VERSION="0.3">', "<NETWORK>"]
    lines.append("<NAME>unknown</NAME>")
    for name, states in network.domain.states.items():
        outcomes = "".join(f"<OUTCOME>{escape(str(s))}</OUTCOME>" for s in states)
        lines.append(
            f'<VARIABLE TYPE="nature"><NAME>{escape(str(name))}</NAME>{outcomes}</VARIABLE>'
        )
    for name in network.domain.names:
        given = "".join(f"<GIVEN>{escape(str(p))}</GIVEN>" for p in network.parents[name])
        numbers = " ".join(map(repr, network.table(name).ravel().tolist()))
        lines.append(
            f"<DEFINITION><FOR>{escape(str(name))}</FOR>{given}"
            f"<TABLE>{numbers}</TABLE></DEFINITION>"
        )
    return "\n".join([*lines, "</NETWORK>", "</BIF>"]) + "\n"
