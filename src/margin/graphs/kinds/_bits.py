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


def closure(start: int, steps: tuple[int, ...] | list[int]) -> int:
    """Everything reached from ``start`` (included) when node ``i`` leads to the set ``steps[i]``.

    Examples
    --------
    >>> list(members(closure(1, [0b10, 0b100, 0, 0b1])))
    [0, 1, 2]
    """
    reached, fresh = start, start
    while fresh:
        found = 0
        for node in members(fresh):
            found |= steps[node]
        fresh = found & ~reached
        reached |= fresh
    return reached


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
