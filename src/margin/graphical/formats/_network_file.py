"""What is common to all network files: bounded reading, and the parts they are parsed into."""

from __future__ import annotations

import codecs
import gzip
import io
import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from os import PathLike
from pathlib import Path
from typing import IO, Any

from margin.core.types import Floats

MAX_BYTES = 2**28
MAX_ENTRIES = 2**25
# Surrogates outside of a pair, which no encoding can write.
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")
# How files of 16- and 32-bit characters begin: by a mark, or by the first character of XML.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (b"<\0?\0", "utf-16-le"),
    (b"\0<\0?", "utf-16-be"),
)
Source = str | PathLike[str] | IO[Any]


@dataclass(frozen=True)
class ParsedNetwork:
    """Parts of a directed model read from a file: states, parents and tables by name."""

    states: Mapping[str, tuple[str, ...]]
    parents: Mapping[str, tuple[str, ...]]
    tables: Mapping[str, Floats]

    @property
    def edges(self) -> list[tuple[str, str]]:
        """Arrows, by child."""
        return [(p, child) for child, parents in self.parents.items() for p in parents]


class EntryBudget:
    """Refuses tables that together would not fit, before any of them is made.

    Examples
    --------
    >>> budget = EntryBudget("from_bif")
    >>> budget.spend("x", [2, 3])
    6
    >>> budget.spend("y", [2] * 30)
    Traceback (most recent call last):
    ValueError: from_bif: tables must have at most 33554432 entries in all, got 1073741824 for 'y'
    """

    def __init__(self, reader: str, limit: int = MAX_ENTRIES):
        self.reader = reader
        self.left = limit
        self.limit = limit

    def spend(self, name: str, cards: list[int]) -> int:
        """Count a table of these cardinalities; returns its number of entries."""
        entries = prod(cards)
        self.left -= entries
        if self.left < 0:
            raise ValueError(
                f"{self.reader}: tables must have at most {self.limit} entries in all, "
                f"got {entries} for {name!r}"
            )
        return entries


def read_text(reader: str, source: Source, max_bytes: int = MAX_BYTES) -> str:
    """Text of a file, plain or compressed by gzip, refused when it is larger than the limit.

    Parameters
    ----------
    reader : str
        Function that messages name.
    source : path or open file
        An open file may give text or bytes.
    max_bytes : int
        Longest text that is read, after decompression.

    Examples
    --------
    >>> read_text("from_bif", io.StringIO("network x { }"))
    'network x { }'
    """
    if hasattr(source, "read"):
        data = source.read(max_bytes + 1)
    else:
        with Path(source).open("rb") as file:
            data = file.read(max_bytes + 1)
    if isinstance(data, str):
        text = data
    else:
        if data[:2] == b"\x1f\x8b":
            data = _decompress(reader, data, max_bytes)
        text = "" if len(data) > max_bytes else _decoded(reader, data)
    if len(data) > max_bytes:
        raise ValueError(f"{reader}: file must hold at most {max_bytes} bytes, got more")
    if (half := _HALF_CHARACTER.search(text)) is not None:
        raise ValueError(
            f"{reader}: file must hold text, got half a character ({ascii(half[0])[1:-1]}) "
            f"at position {half.start()}"
        )
    return text


def _decoded(reader: str, data: bytes) -> str:
    """Characters of bytes: of the encoding that their beginning tells, else UTF-8 or Latin-1.

    Examples
    --------
    >>> _decoded("from_xmlbif", "<BIF/>".encode("utf-16")), _decoded("from_bif", b"network")
    ('<BIF/>', 'network')
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            try:
                return data.decode(encoding)
            except UnicodeDecodeError as error:
                raise ValueError(
                    f"{reader}: file must be {encoding.upper()}, which it begins as, got "
                    f"{error.reason} at byte {error.start}"
                ) from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _decompress(reader: str, data: bytes, max_bytes: int) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            return stream.read(max_bytes + 1)
    except (OSError, EOFError) as error:
        raise ValueError(f"{reader}: file must be readable, got damaged gzip ({error})") from None


def write_text(target: Source | None, text: str) -> str | None:
    """Write to a path or an open text file; without a target the text is returned."""
    if target is None:
        return text
    if hasattr(target, "write"):
        target.write(text)
    else:
        Path(target).write_text(text, encoding="utf-8")
    return None
