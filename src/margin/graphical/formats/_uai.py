"""The UAI format of factor models, directed (BAYES) and undirected (MARKOV), in and out."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from margin.core.types import Floats
from margin.graphical.formats._network_file import EntryBudget, ParsedNetwork

_COMMENT = re.compile(r"#.*")
# How pyAgrum begins a file: the name of the node after every scope, or the words for the numbers.
_AGRUM_BAYES = re.compile(r"BAYES\n\d+\n[\d ]*\n\d+\n((?:[\d ]*\d   # .*\n)+)\n")
_AGRUM_MARKOV = re.compile(r"MARKOV\n\d+ # nbr Nodes\n[\d ]*\n\d+ # nbr Factors *\n")


@dataclass(frozen=True)
class ParsedFactors:
    """A UAI file: kind, cardinalities, scopes and tables; variables are numbers."""

    kind: str
    cardinalities: tuple[int, ...]
    scopes: tuple[tuple[int, ...], ...]
    tables: tuple[Floats, ...]


def parse_uai(text: str) -> ParsedFactors:
    """Factors of a UAI text; time and memory are linear in its length.

    What follows a ``#`` on a line is a comment. In a table the last variable of the scope moves
    fastest. The files of pyAgrum, known by their comments, keep another order: after the node the
    first parent moves fastest, and in undirected models the variable of the smallest number,
    whatever the scope says. Their tables come back in the order of their scopes.

    Examples
    --------
    >>> parsed = parse_uai("BAYES 2 2 2 2 1 0 2 0 1 2 0.3 0.7 4 0.1 0.9 0.8 0.2")
    >>> parsed.scopes, parsed.tables[1].tolist()
    (((0,), (0, 1)), [[0.1, 0.9], [0.8, 0.2]])
    """
    text = text.replace("\r\n", "\n")
    words = (_COMMENT.sub("", text) if "#" in text else text).split()
    at = 0

    def number(what: str, low: int, high: int) -> int:
        nonlocal at
        word = words[at] if at < len(words) else "the end of the file"
        if not word.isascii() or not word.isdigit() or len(word) > 12:
            raise ValueError(f"from_uai: {what} must be a whole number, got {word[:40]!r}")
        if not low <= int(word) <= high:
            raise ValueError(f"from_uai: {what} must be between {low} and {high}, got {word}")
        at += 1
        return int(word)

    kind = words[0].upper() if words else ""
    if kind not in ("BAYES", "MARKOV"):
        raise ValueError(f"from_uai: file must begin with BAYES or MARKOV, got {kind[:40]!r}")
    at = 1
    left = len(words)
    n_variables = number("number of variables", 0, left)
    cards = tuple(number("cardinality", 1, 10**9) for _ in range(n_variables))
    n_factors = number("number of factors", 0, left)
    scopes = []
    for _ in range(n_factors):
        size = number("size of a scope", 0, n_variables)
        scope = tuple(number("variable of a scope", 0, n_variables - 1) for _ in range(size))
        if len(set(scope)) != size:
            raise ValueError(f"from_uai: variables of a scope must differ, got {scope}")
        scopes.append(scope)
    budget = EntryBudget("from_uai")
    stored = _stored_order(text, n_factors)
    tables = []
    for scope in scopes:
        shape = [cards[v] for v in scope]
        entries = budget.spend(str(scope), shape)
        number(f"size of the table over {scope}", entries, entries)
        values = _numbers(words[at : at + entries], entries, scope)
        order = stored(scope)
        tables.append(values.reshape([shape[i] for i in order]).transpose(np.argsort(order)))
        at += entries
    if at != len(words):
        raise ValueError(f"from_uai: file must end after the last table, got {words[at][:40]!r}")
    return ParsedFactors(kind, cards, tuple(scopes), tuple(tables))


def _stored_order(text: str, n_factors: int) -> Callable[[tuple[int, ...]], list[int]]:
    r"""Places of a scope, the slowest variable of its table first, as the file has them.

    Examples
    --------
    >>> _stored_order("BAYES", 1)((5, 4, 7))
    [0, 1, 2]
    >>> _stored_order("BAYES\n2\n2 2 \n1\n3 5 4 7   # name\n\n", 1)((5, 4, 7))
    [1, 0, 2]
    """
    head = _AGRUM_BAYES.match(text)
    if head is not None and head[1].count("\n") == n_factors:
        return lambda scope: [*range(len(scope) - 2, -1, -1), *range(len(scope))[-1:]]
    if _AGRUM_MARKOV.match(text):
        return lambda scope: sorted(range(len(scope)), key=lambda i: -scope[i])
    return lambda scope: list(range(len(scope)))


def _numbers(words: list[str], entries: int, scope: tuple[int, ...]) -> Floats:
    if len(words) != entries:
        raise ValueError(
            f"from_uai: table over {scope} must hold {entries} numbers, got {len(words)}"
        )
    try:
        values = np.array(list(map(float, words)))
    except ValueError as error:
        raise ValueError(f"from_uai: table over {scope} must hold numbers, {error}") from None
    if not np.isfinite(values).all() or (values.size and values.min() < 0):
        raise ValueError(f"from_uai: table over {scope} must be finite and at least 0")
    return values


def write_uai(
    kind: str, cards: Sequence[int], scopes: Sequence[Sequence[int]], tables: Sequence[Floats]
) -> str:
    """UAI text of a model, with all digits of the numbers."""
    lines = [kind, str(len(cards)), " ".join(map(str, cards)), str(len(scopes))]
    lines += [" ".join(map(str, (len(scope), *scope))) for scope in scopes]
    for table in tables:
        lines += ["", str(table.size), " ".join(map(repr, np.ravel(table).tolist()))]
    return "\n".join(lines) + "\n"


def directed(parsed: ParsedFactors) -> ParsedNetwork:
    """A UAI file of kind BAYES as a network: the last variable of a scope is the node."""
    if parsed.kind != "BAYES":
        raise ValueError(f"from_uai: file must be of kind BAYES, got {parsed.kind}")
    nodes = [scope[-1] for scope in parsed.scopes if scope]
    if sorted(nodes) != list(range(len(parsed.cardinalities))):
        raise ValueError("from_uai: every variable must be the last of one scope, got other scopes")
    order = sorted(range(len(nodes)), key=nodes.__getitem__)
    return ParsedNetwork(
        {f"x{v}": tuple(map(str, range(c))) for v, c in enumerate(parsed.cardinalities)},
        {f"x{nodes[i]}": tuple(f"x{v}" for v in parsed.scopes[i][:-1]) for i in order},
        {f"x{nodes[i]}": parsed.tables[i] for i in order},
    )
