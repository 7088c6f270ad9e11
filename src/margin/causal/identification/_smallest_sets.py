"""Sets none of which holds another, found by size without looking at all subsets."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from margin.causal.graph._types import Node

Sets = tuple[Node, ...]
Within = Callable[[Sets], Iterable[Node] | None]


def smallest_sets(elements: Sequence[Node], within: Within) -> Iterator[Sets]:
    """Valid sets without a valid proper subset, small ones first.

    Parameters
    ----------
    elements : sequence of nodes
        What the sets are made of; each set lists its members in this order.
    within : callable
        The union of all valid subsets of a collection, itself valid; None where there is no valid
        subset.

    Notes
    -----
    Elements that no set can do without are taken at once, and branches without a valid set are
    never entered; what remains may still be exponential, as the sets themselves may be.

    Examples
    --------
    >>> list(smallest_sets("abc", lambda some: some if "a" in some and len(some) > 1 else None))
    [('a', 'b'), ('a', 'c')]
    """
    search = _Search(tuple(elements), within)
    whole = search.narrowed((), search.elements)
    if whole is None:
        return
    taken, left = whole
    for size in range(len(taken), len(taken) + len(left) + 1):
        yield from search.of_size(size, taken, left)


class _Search:
    def __init__(self, elements: Sets, within: Within) -> None:
        self.elements, self.within = elements, within
        self.found: list[set[Node]] = []

    def inside(self, some: Sets) -> set[Node] | None:
        answer = self.within(some)
        return None if answer is None else set(answer)

    def narrowed(self, taken: Sets, left: Sets) -> tuple[Sets, Sets] | None:
        """What has to be taken, and what may be, in sets that hold the one; None if there is none.

        Elements that no such set can do without are taken.
        """
        most = self.inside((*taken, *left))
        if most is None or not set(taken) <= most:
            return None
        left = tuple(node for node in left if node in most)
        needed = []
        for node in left:
            rest = self.inside((*taken, *(other for other in left if other != node)))
            if rest is None or not set(taken) <= rest:
                needed.append(node)
        return (*taken, *needed), tuple(node for node in left if node not in needed)

    def of_size(self, size: int, taken: Sets, left: Sets) -> Iterator[Sets]:
        """New sets of one size that hold what is taken and otherwise what is left."""
        if len(taken) > size or any(smaller <= set(taken) for smaller in self.found):
            return
        if len(taken) == size:
            if self.inside(taken) == set(taken):
                self.found.append(set(taken))
                yield tuple(node for node in self.elements if node in taken)
            return
        for branch in ((*taken, *left[:1]), left[1:]), (taken, left[1:]):
            narrowed = self.narrowed(*branch) if left else None
            if narrowed is not None:
                yield from self.of_size(size, *narrowed)


def smallest_set(elements: Sequence[Node], within: Within) -> Sets | None:
    """One such set, in polynomially many calls, or None.

    Examples
    --------
    >>> smallest_set("abcd", lambda some: some if len(some) > 1 else None)
    ('c', 'd')
    """
    most = within(tuple(elements))
    if most is None:
        return None
    chosen = tuple(node for node in elements if node in set(most))
    for node in chosen:
        if node in chosen:
            fewer = within(tuple(other for other in chosen if other != node))
            chosen = chosen if fewer is None else _kept(chosen, fewer)
    return chosen


def _kept(chosen: Sets, fewer: Iterable[Node]) -> Sets:
    kept = set(fewer)
    return tuple(node for node in chosen if node in kept)
