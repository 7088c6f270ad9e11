"""Files as nobody would like to have them: sound ones with bytes changed, lost and repeated."""

from collections.abc import Callable
from typing import Any

import numpy as np

from margin.graphical import BayesianNetwork

Rng = np.random.Generator

CSV = 'a,b;c,when,text\n1,2.5,3,2020-01-01,"x, y"\n-1e400,NA,,2020-02-30,z\n3,4,5,,""\n'
ENCODINGS = ("utf-8", "utf-8-sig", "latin-1", "utf-16", "utf-32", "utf-16-le")
PIECES = (b"\x00", b"\xff", b'"', b"<", b"{", b"(", b"-1", b"nan", b"1e999", b"999999999999", b"\n")


def text_of(rng: Rng, name: str) -> tuple[bytes, str]:
    """Bytes of a file and what was done to them.

    Examples
    --------
    >>> text_of(np.random.default_rng(0), "bif")[0] == text_of(np.random.default_rng(0), "bif")[0]
    True
    """
    text = CSV if name == "csv" else _network(rng, name)
    encoding = str(rng.choice(ENCODINGS, p=[0.6, 0.1, 0.1, 0.1, 0.05, 0.05]))
    content = text.encode(encoding, "replace")
    story = [encoding]
    for _ in range(int(rng.integers(0, 4))):
        how = str(rng.choice(list(CHANGES)))
        content = CHANGES[how](rng, content)
        story.append(how)
    return content, ", ".join(story)


def _network(rng: Rng, name: str) -> str:
    nodes = [f"n{k}" for k in range(int(rng.integers(1, 5)))]
    edges = [(a, b) for k, b in enumerate(nodes) for a in nodes[:k] if rng.random() < 0.5]
    levels = {node: [f"s{k}" for k in range(int(rng.integers(1, 4)))] for node in nodes}
    tables: dict[str, Any] = {}
    for node in nodes:
        shape = [len(levels[a]) for a, b in edges if b == node]
        tables[node] = rng.dirichlet(np.ones(len(levels[node])), size=tuple(shape))
    network = BayesianNetwork.from_edges(edges, tables, levels)
    write = {"bif": network.to_bif, "xmlbif": network.to_xmlbif}.get(name, network.to_uai)
    return str(write())


def _cut(rng: Rng, content: bytes) -> tuple[int, int]:
    first, last = np.sort(rng.integers(0, len(content) + 1, size=2))
    return int(first), int(min(last, first + 40))


def _lost(rng: Rng, content: bytes) -> bytes:
    first, last = _cut(rng, content)
    return content[:first] + content[last:]


def _repeated(rng: Rng, content: bytes) -> bytes:
    first, last = _cut(rng, content)
    return content[:last] + content[first:]


def _ended(rng: Rng, content: bytes) -> bytes:
    return content[: _cut(rng, content)[0]]


def _inserted(rng: Rng, content: bytes) -> bytes:
    at = _cut(rng, content)[0]
    return content[:at] + PIECES[int(rng.integers(len(PIECES)))] + content[at:]


def _replaced(rng: Rng, content: bytes) -> bytes:
    digits = [k for k, byte in enumerate(content) if chr(byte).isdigit()]
    if not digits:
        return content
    at = int(rng.choice(digits))
    return content[:at] + PIECES[int(rng.integers(len(PIECES)))] + content[at + 1 :]


CHANGES: dict[str, Callable[[Rng, bytes], bytes]] = {
    "bytes lost": _lost,
    "bytes repeated": _repeated,
    "end lost": _ended,
    "bytes inserted": _inserted,
    "a digit replaced": _replaced,
}
