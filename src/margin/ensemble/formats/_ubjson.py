"""Universal binary JSON, the format of XGBoost's ``.ubj`` files, read without trusting it."""

import struct
from typing import Any

import numpy as np

_DEEPEST = 64  # documents of trees are a handful of levels deep
_NUMBERS: dict[bytes | None, np.dtype[Any]] = {
    b"i": np.dtype(">i1"),
    b"U": np.dtype(">u1"),
    b"I": np.dtype(">i2"),
    b"l": np.dtype(">i4"),
    b"L": np.dtype(">i8"),
    b"d": np.dtype(">f4"),
    b"D": np.dtype(">f8"),
}
_WHOLE = b"iUIlL"
_CONSTANTS: dict[bytes | None, bool | None] = {b"Z": None, b"T": True, b"F": False}


def parse_ubjson(data: bytes) -> Any:
    """The value that is written in a file.

    Parameters
    ----------
    data : bytes
        The whole file.

    Returns
    -------
    dict, list, array, str, number, bool or None
        Arrays of numbers of one type are NumPy arrays.

    Raises
    ------
    ValueError
        Where the file ends early, goes on after its end, is nested without end, or has a mark that
        the format does not know.

    Examples
    --------
    >>> parse_ubjson(b"{i" + bytes([1]) + b"aU" + bytes([7]) + b"}")
    {'a': 7}
    """
    reader = _Reader(data)
    value = reader.value(reader.mark(), 0)
    if reader.at != len(data):
        raise ValueError(f"UBJSON: {len(data) - reader.at} bytes follow the end")
    return value


class _Reader:
    """A place in a file, never moved beyond its end."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, count: int) -> bytes:
        if count < 0 or count > len(self.data) - self.at:
            raise ValueError(f"UBJSON: it ends early, {count} bytes are missing at {self.at}")
        self.at += count
        return self.data[self.at - count : self.at]

    def mark(self) -> bytes:
        """The next mark that says something."""
        mark = self.take(1)
        while mark == b"N":
            mark = self.take(1)
        return mark

    def count(self) -> int:
        mark = self.mark()
        if mark not in _WHOLE:
            raise ValueError(f"UBJSON: a length must be an integer, got the mark {mark!r}")
        return int(self.number(mark))

    def number(self, mark: bytes) -> Any:
        kind = _NUMBERS[mark]
        return np.frombuffer(self.take(kind.itemsize), dtype=kind)[0].item()

    def text(self) -> str:
        try:
            return self.take(self.count()).decode("utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(f"UBJSON: a text is not UTF-8: {error}") from error

    def value(self, mark: bytes, depth: int) -> Any:
        if depth > _DEEPEST:
            raise ValueError(f"UBJSON: it is nested more than {_DEEPEST} levels deep")
        if mark in _NUMBERS:
            return self.number(mark)
        if mark in _CONSTANTS:
            return _CONSTANTS[mark]
        if mark == b"S":
            return self.text()
        if mark == b"C":
            return chr(struct.unpack("B", self.take(1))[0])
        if mark == b"[":
            return self.array(depth)
        if mark == b"{":
            return self.mapping(depth)
        raise ValueError(f"UBJSON: unknown mark {mark!r} at {self.at - 1}")

    def head(self) -> tuple[bytes | None, int | None, bytes]:
        """Common type and number of the members where they are given, and the mark after them."""
        kind, count, mark = None, None, self.mark()
        if mark == b"$":
            kind, mark = self.mark(), self.mark()
            if mark != b"#":
                raise ValueError("UBJSON: a common type must be followed by a number of members")
        if mark == b"#":
            count, mark = self.count(), b""
            # Members of a constant type take no bytes: their number is held to those of the file.
            if not 0 <= count <= len(self.data):
                raise ValueError(f"UBJSON: {count} members do not fit into the file")
        return kind, count, mark

    def array(self, depth: int) -> Any:
        kind, count, mark = self.head()
        if kind in _NUMBERS and count is not None:
            dtype = _NUMBERS[kind]
            numbers = np.frombuffer(self.take(count * dtype.itemsize), dtype=dtype)
            return numbers.astype(dtype.newbyteorder("="))
        values: list[Any] = []
        while mark != b"]" if count is None else len(values) < count:
            own = kind or mark or self.mark()
            values.append(self.value(own, depth + 1))
            mark = self.mark() if count is None else b""
        return values

    def mapping(self, depth: int) -> dict[str, Any]:
        kind, count, mark = self.head()
        members: dict[str, Any] = {}
        read = 0
        while mark != b"}" if count is None else read < count:
            if count is None:
                self.at -= 1  # the mark was that of the length of a name
            name = self.text()
            members[name] = self.value(kind or self.mark(), depth + 1)
            mark = self.mark() if count is None else b""
            read += 1
        return members
