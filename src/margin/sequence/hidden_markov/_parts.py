"""How sequences are divided where memory counts."""

from collections.abc import Iterator
from math import isqrt

import numpy as np

from margin.core.types import Indices

_LEAST = 1024  # steps that are always looked at together


def part_size(longest: int) -> int:
    """Steps that are looked at together: the root of the longest sequence.

    Examples
    --------
    >>> part_size(100), part_size(9_000_000)
    (1024, 3000)
    """
    return max(_LEAST, isqrt(longest))


def divided(offsets: Indices) -> Iterator[slice]:
    """Whole sequences that are looked at together: many of few steps, or a long one by itself.

    Examples
    --------
    >>> [(some.start, some.stop) for some in divided(np.array([0, 500, 900, 5000, 5010]))]
    [(0, 2), (2, 3), (3, 4)]
    """
    most, first = part_size(int(np.diff(offsets).max())), 0
    while first < len(offsets) - 1:
        end = int(np.searchsorted(offsets, offsets[first] + most, side="right")) - 1
        yield slice(first, max(end, first + 1))
        first = max(end, first + 1)
