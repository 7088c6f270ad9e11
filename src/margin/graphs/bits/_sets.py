"""Sets of node numbers as the bits of one Python integer."""

from collections.abc import Iterable, Iterator


def mask(members: Iterable[int]) -> int:
    """Integer whose set bits are the given numbers.

    Examples
    --------
    >>> mask([0, 3])
    9
    """
    bits = 0
    for member in members:
        bits |= 1 << member
    return bits


def members(bits: int) -> Iterator[int]:
    """Set bits in ascending order.

    Examples
    --------
    >>> list(members(9))
    [0, 3]
    """
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def closure(start: int, steps: tuple[int, ...] | list[int], inside: int = -1) -> int:
    """Everything reached from ``start`` (included) when node ``i`` leads to the set ``steps[i]``.

    Steps out of ``inside`` are not taken.

    Examples
    --------
    >>> list(members(closure(1, [0b10, 0b100, 0, 0b1])))
    [0, 1, 2]
    >>> list(members(closure(1, [0b10, 0b100, 0, 0b1], inside=0b11)))
    [0, 1]
    """
    reached = fresh = start
    while fresh:
        low = fresh & -fresh
        ahead = steps[low.bit_length() - 1] & inside & ~reached
        reached |= ahead
        fresh = fresh ^ low | ahead
    return reached


def components(neighbours: tuple[int, ...] | list[int]) -> list[int]:
    """Connected parts of symmetric rows, by their smallest members.

    Examples
    --------
    >>> components([0b100, 0, 0b001])
    [5, 2]
    """
    left, parts = (1 << len(neighbours)) - 1, []
    while left:
        part = closure(left & -left, neighbours)
        parts.append(part)
        left &= ~part
    return parts


def subsets(bits: int) -> Iterator[int]:
    """Every subset of a set, small numbers first.

    Examples
    --------
    >>> list(subsets(0b101))
    [0, 1, 4, 5]
    """
    subset = 0
    while True:
        yield subset
        if subset == bits:
            return
        subset = (subset - bits) & bits
