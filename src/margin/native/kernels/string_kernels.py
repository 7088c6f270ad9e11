"""Windows of symbols as numbers, and sums over common subsequences."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native
from margin.native.kernels.pairs import Floats, empty_pairs

Ints = NDArray[np.int32]
Longs = NDArray[np.int64]


def number_bytes(raw: NDArray[np.uint8]) -> tuple[Ints, int]:
    """The different bytes as consecutive numbers in their order, and how many there are."""
    out = np.empty(len(raw), dtype=np.int32)
    return out, int(_native.number_bytes(raw, out))


def window_keys(codes: Ints, offsets: Longs, base: int, k: int) -> tuple[NDArray[np.uint64], Longs]:
    """Every window of ``k`` symbols of every row as a number in that base, and the new offsets.

    Symbols are 0 to ``base - 1``; ``base ** k`` must not exceed ``2 ** 63``.
    """
    sizes = np.maximum(np.diff(offsets) - k + 1, 0)
    out_offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    out = np.empty(int(out_offsets[-1]), dtype=np.uint64)
    _native.window_keys(codes, offsets, base, k, out, out_offsets)
    return out, out_offsets


def subsequence_sums(
    left: tuple[Ints, Longs],
    right: tuple[Ints, Longs],
    length: int,
    decay: float,
    pairs: int,
    with_slope: bool,
    n_threads: int,
) -> tuple[Floats, Floats | None]:
    """Decayed sums over common subsequences of that length, and slopes in the log decay."""
    n, m = len(left[1]) - 1, len(right[1]) - 1
    values, slopes = empty_pairs(n, m, pairs, with_slope)
    _native.subsequence_sums(*left, *right, length, decay, pairs, values, slopes, n_threads)
    return values, slopes
