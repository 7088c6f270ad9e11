"""Reading the Interchange Format (BIF) of Bayesian networks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NoReturn

import numpy as np

from margin.core.types import Floats
from margin.graphical.formats._network_file import EntryBudget, ParsedNetwork

# A quoted text or a comment that is never closed swallows the rest: the scan stays linear.
_TOKEN = re.compile(
    r'"(?:[^"\\]+|\\.)*+(?:"|\\?\Z)|//[^\n]*|/\*(?:.*?\*/|.*\Z)'
    r'|[{}()\[\];,|]|(?:[^\s{}()\[\];,|"/]+|/(?![/*]))+',
    re.DOTALL,
)
_MARKS = frozenset("{}()[];,|")


def parse_bif(text: str) -> ParsedNetwork:
    """States, parents and tables of a BIF text.

    Comments, quoted names, properties, missing commas, ``table``, ``default`` and rows in any
    order are understood. Time and memory are linear in the length of the text and the size of the
    tables, whose total is bounded.

    Examples
    --------
    >>> parsed = parse_bif('''network toy { } // a comment
    ... variable rain { type discrete [ 2 ] { no, yes }; }
    ... variable "wet ground" { type discrete [ 2 ] { no, yes }; }
    ... probability ( rain ) { table 0.7, 0.3; }
    ... probability ( "wet ground" | rain ) { (no) 0.8, 0.2; (yes) 0.05, 0.95; }''')
    >>> parsed.parents["wet ground"], parsed.tables["wet ground"].tolist()
    (('rain',), [[0.8, 0.2], [0.05, 0.95]])
    """
    return _Parser(text).run()


class _Parser:
    def __init__(self, text: str):
        self.text = text
        self.tokens = _TOKEN.findall(text)
        if "//" in text or "/*" in text:
            if self.tokens and self.tokens[-1].startswith("/*") and self.tokens[-1][-2:] != "*/":
                raise ValueError("from_bif: comments must end, got one that does not")
            self.tokens = [t for t in self.tokens if not t.startswith(("//", "/*"))]
        self.tokens.append("")
        self.at = 0
        self.states: dict[str, tuple[str, ...]] = {}
        self.codes: dict[str, dict[str, int]] = {}
        self.parents: dict[str, tuple[str, ...]] = {}
        self.tables: dict[str, Floats] = {}
        self.budget = EntryBudget("from_bif")

    def run(self) -> ParsedNetwork:
        # Tables need the states of variables that may be declared after them.
        waiting: list[int] = []
        while (word := self.take()) != "":
            if word == "network":
                self.skip_block()
            elif word == "variable":
                self.variable()
            elif word == "probability":
                waiting.append(self.at)
                self.skip_block()
            else:
                self.fail("network, variable or probability", word)
        if not self.states:
            raise ValueError("from_bif: file must declare a variable, got none")
        for start in waiting:
            self.at = start
            self.probability()
        for name in self.states:
            if name not in self.tables:
                raise ValueError(f"from_bif: {name!r} must have a probability block, got none")
        return ParsedNetwork(self.states, self.parents, self.tables)

    def take(self) -> str:
        token: str = self.tokens[self.at]
        self.at += token != ""
        return token

    def expect(self, mark: str) -> None:
        token = self.take()
        if token != mark:
            self.fail(repr(mark), token)

    def name(self) -> str:
        token = self.take()
        if token in _MARKS or token == "":
            self.fail("a name", token)
        return self.plain(token)

    def plain(self, token: str) -> str:
        if not token.startswith('"'):
            return token
        if len(token) < 2 or not token.endswith('"'):
            self.fail("a quoted name with an end", token[:20])
        return re.sub(r"\\(.)", r"\1", token[1:-1], flags=re.DOTALL)

    def names_until(self, mark: str) -> list[str]:
        end = self.find(mark)
        listed = [t for t in self.tokens[self.at : end] if t != ","]
        if bad := [t for t in listed if t in _MARKS]:
            self.fail(repr(mark), bad[0])
        self.at = end + 1
        return [self.plain(t) for t in listed] if '"' in "".join(listed) else listed

    def find(self, mark: str) -> int:
        try:
            return self.tokens.index(mark, self.at)
        except ValueError:
            self.fail(repr(mark), "the end of the file")

    def skip_block(self) -> None:
        self.at = self.find("{") + 1
        depth = 1
        while depth:
            token = self.take()
            depth += (token == "{") - (token == "}")
            if token == "":
                self.fail("'}'", "the end of the file")

    def variable(self) -> None:
        name = self.name()
        if name in self.states:
            self.fail("a new variable", name)
        self.expect("{")
        while (word := self.take()) != "}":
            if word == "type":
                self.kind(name)
            elif word == "property":
                self.at = self.find(";") + 1
            else:
                self.fail("type, property or '}'", word)
        if name not in self.states:
            self.fail(f"a type of {name!r}", "}")

    def kind(self, name: str) -> None:
        word = self.take()
        if word != "discrete":
            self.fail("'discrete'", word)
        self.expect("[")
        count = self.take()
        self.expect("]")
        self.expect("{")
        states = self.names_until("}")
        if self.tokens[self.at] == ";":
            self.at += 1
        if count != str(len(states)) or not states:
            self.fail(f"{count} states of {name!r}", str(len(states)))
        if len(set(states)) != len(states):
            self.fail(f"different states of {name!r}", states[0])
        self.states[name] = tuple(states)
        self.codes[name] = {state: code for code, state in enumerate(states)}

    def probability(self) -> None:
        self.expect("(")
        end = self.find(")")
        listed = [t for t in self.tokens[self.at : end] if t not in (",", "|")]
        names = [self.plain(t) for t in listed]
        for name in names:
            if name not in self.states:
                self.fail("a declared variable", name)
        if not names or len(set(names)) != len(names):
            self.fail("different variables", " ".join(names))
        self.at = end + 1
        self.expect("{")
        node, *parents = names
        if node in self.tables:
            self.fail("one probability block per variable", node)
        self.parents[node] = tuple(parents)
        self.tables[node] = self.rows(node, parents)

    def rows(self, node: str, parents: Sequence[str]) -> Floats:
        cards = [len(self.states[p]) for p in parents]
        card = len(self.states[node])
        configurations = self.budget.spend(node, [*cards, card]) // card
        table = np.full((configurations, card), np.nan)
        rows: list[int] = []
        numbers: list[float] = []
        default: list[float] | None = None
        while (word := self.take()) != "}":
            if word == "(":
                rows.append(self.row(parents, cards))
                numbers += self.numbers(card)
            elif word == "table":
                whole = self.numbers(configurations * card)
                # Counting order of the declared variables: the node is the slowest.
                table[:] = np.reshape(whole, (card, configurations)).T
            elif word == "default":
                default = self.numbers(card)
            elif word == "property":
                self.at = self.find(";") + 1
            else:
                self.fail("'(', table, default or '}'", word)
        if len(set(rows)) != len(rows):
            self.fail(f"one row per configuration of the parents of {node!r}", "one twice")
        if rows:
            table[rows] = np.reshape(numbers, (-1, card))
        return self.filled(node, parents, table, default).reshape(*cards, card)

    def row(self, parents: Sequence[str], cards: Sequence[int]) -> int:
        words = self.names_until(")")
        if len(words) != len(parents):
            self.fail(f"{len(parents)} states", str(len(words)))
        index = 0
        for parent, word, card in zip(parents, words, cards, strict=True):
            code = self.codes[parent].get(word)
            if code is None:
                self.fail(f"a state of {parent!r}", word)
            index = index * card + code
        return index

    def numbers(self, count: int) -> list[float]:
        end = self.find(";")
        listed = self.tokens[self.at : end : 2]
        if (
            end - self.at != 2 * count - 1
            or self.tokens[self.at + 1 : end : 2].count(",") != count - 1
        ):
            listed = [t for t in self.tokens[self.at : end] if t != ","]
        if len(listed) != count:
            self.fail(f"{count} numbers", str(len(listed)))
        try:
            values = list(map(float, listed))
        except ValueError as error:
            self.fail("numbers", str(error).rpartition(": ")[2].strip("'"))
        self.at = end + 1
        return values

    def filled(
        self, node: str, parents: Sequence[str], table: Floats, default: list[float] | None
    ) -> Floats:
        empty = np.isnan(table).all(axis=1)
        if not empty.any():
            return table
        if default is None:
            codes = np.unravel_index(int(empty.argmax()), [len(self.states[p]) for p in parents])
            words = [f"{p}={self.states[p][c]}" for p, c in zip(parents, codes, strict=True)]
            self.fail(f"a row of {node!r} for {', '.join(words) or 'table'}", "none")
        table[empty] = default
        return table

    def fail(self, wanted: str, instead: str) -> NoReturn:
        spans = (m for m in _TOKEN.finditer(self.text) if not m[0].startswith(("//", "/*")))
        place = len(self.text)
        for _, match in zip(range(max(self.at, 1)), spans, strict=False):
            place = match.start()
        line = self.text.count("\n", 0, place) + 1
        shown = instead if len(instead) <= 40 else instead[:40] + "…"
        raise ValueError(f"from_bif: line {line} must hold {wanted}, got {shown!r}")
