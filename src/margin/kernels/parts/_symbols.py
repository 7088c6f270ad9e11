"""Strings and sequences as rows of small integers."""

from collections.abc import Hashable, Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core import check
from margin.native.kernels import counts, string_kernels

LARGEST_KEY = 2**63


@dataclass(frozen=True, eq=False)
class Symbols:
    """Sequences one after the other, every symbol a number; equal symbols have the same number.

    Parameters
    ----------
    codes : ndarray of int32
        All symbols.
    offsets : ndarray of int64
        Where each sequence starts, and the total length.
    n_symbols : int
        Number of different symbols.
    """

    codes: NDArray[np.int32]
    offsets: NDArray[np.int64]
    n_symbols: int

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def rows(self, start: int, stop: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
        """Codes and offsets of some consecutive sequences."""
        first, last = self.offsets[start], self.offsets[stop]
        return self.codes[first:last], self.offsets[start : stop + 1] - first


def symbols_of(owner: object, X: Any, Z: Any) -> tuple[Symbols, int]:
    """Symbols of both sets in one numbering, and the number of sequences in ``X``."""
    sequences = listed(owner, X, "X", "strings")
    n = len(sequences)
    if Z is not None:
        sequences = sequences + listed(owner, Z, "Z", "strings")
    if all(isinstance(item, str) for item in sequences):
        return _of_strings(sequences), n
    return _of_sequences(owner, sequences, n), n


def listed(owner: object, X: Any, name: str, what: str) -> list[Any]:
    """A list of objects; refuses a single object in its place."""
    single = isinstance(X, str | bytes | Mapping | Set) or hasattr(X, "adjacency")
    if single or not isinstance(X, Iterable) or getattr(X, "ndim", 1) == 0:
        raise check.fail(owner, name, f"a list of {what}", type(X).__name__)
    return list(X)


def _of_strings(strings: list[str]) -> Symbols:
    joined = "".join(strings)
    lengths = np.fromiter(map(len, strings), dtype=np.int64, count=len(strings))
    if joined.isascii():
        codes, size = string_kernels.number_bytes(np.frombuffer(joined.encode("ascii"), np.uint8))
        return Symbols(codes, _offsets(lengths), max(1, size))
    raw = np.frombuffer(joined.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    seen = np.zeros(int(raw.max(initial=0)) + 1, dtype=np.int32)
    seen[raw] = 1
    number = np.cumsum(seen, dtype=np.int32) - np.int32(1)
    return Symbols(number[raw], _offsets(lengths), int(seen.sum()))


def _of_sequences(owner: object, sequences: list[Any], n: int) -> Symbols:
    number: dict[Hashable, int] = {}
    codes: list[int] = []
    lengths = np.empty(len(sequences), dtype=np.int64)
    for i, sequence in enumerate(sequences):
        bad = isinstance(sequence, Mapping | Set) or getattr(sequence, "ndim", 1) != 1
        try:
            if bad:
                raise TypeError
            items = sequence.tolist() if isinstance(sequence, np.ndarray) else list(sequence)
            codes += [number.setdefault(item, len(number)) for item in items]
        except TypeError:
            name = f"X[{i}]" if i < n else f"Z[{i - n}]"
            wanted = "a string or a sequence of hashable symbols"
            raise check.fail(owner, name, wanted, sequence) from None
        lengths[i] = len(items)
    if any(symbol != symbol for symbol in number):
        raise check.fail(owner, "symbols", "equal to themselves", float("nan"))
    return Symbols(np.array(codes, dtype=np.int32), _offsets(lengths), max(1, len(number)))


def _offsets(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def windows(symbols: Symbols, k: int) -> tuple[NDArray[np.int32], NDArray[np.int64], int]:
    """Numbers of all windows of ``k`` symbols, where each sequence starts, how many differ.

    Windows are read as numbers in base ``n_symbols``. Where these would be too large, windows are
    numbered by pairs of shorter windows, so that nothing is ever hashed to something else.
    """
    if symbols.n_symbols**k <= LARGEST_KEY:
        keys, offsets = string_kernels.window_keys(
            symbols.codes, symbols.offsets, symbols.n_symbols, k
        )
        numbered, n_ids = counts.number_keys(keys)
        return numbered, offsets, n_ids
    sizes = np.maximum(np.diff(symbols.offsets) - k + 1, 0)
    numbered, n_ids = _windows_anywhere(symbols, k)
    inside = np.repeat(symbols.offsets[:-1] - np.cumsum(sizes) + sizes, sizes)
    chosen = numbered[inside + np.arange(int(sizes.sum()))]
    return chosen, _offsets(sizes), n_ids


def _windows_anywhere(symbols: Symbols, k: int) -> tuple[NDArray[np.int32], int]:
    """Numbers of the windows at all positions, also of those across the end of a sequence."""
    codes, length, size = symbols.codes, 1, symbols.n_symbols
    for bit in bin(k)[3:]:  # k in binary after its leading one: double, and add one
        codes, size = _joined(codes, length, codes, size)
        length *= 2
        if bit == "1":
            codes, size = _joined(codes, length, symbols.codes, symbols.n_symbols)
            length += 1
    return codes, size


def _joined(
    first: NDArray[np.int32], shift: int, second: NDArray[np.int32], n_second: int
) -> tuple[NDArray[np.int32], int]:
    """Numbers of the pairs of a window and the one ``shift`` positions on."""
    rest = second[shift:].astype(np.uint64)
    return counts.number_keys(first[: len(rest)].astype(np.uint64) * np.uint64(n_second) + rest)
