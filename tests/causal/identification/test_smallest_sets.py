from itertools import combinations

import numpy as np

from margin.causal.identification._smallest_sets import smallest_set, smallest_sets


def union_closed(members):
    """A family of sets closed under union, and its largest set within a collection."""
    family = {frozenset(part) for part in members}
    while True:
        more = {a | b for a in family for b in family} - family
        if not more:
            break
        family |= more

    def within(some):
        inside = [part for part in family if part <= set(some)]
        return frozenset().union(*inside) if inside else None

    return family, within


def test_families_closed_under_union_against_all_subsets():
    rng = np.random.default_rng(0)
    for _ in range(100):
        elements = list("abcdefg")
        members = [rng.choice(elements, rng.integers(0, 5), replace=False) for _ in range(4)]
        family, within = union_closed(members)
        least = [part for part in family if not any(other < part for other in family)]
        found = list(smallest_sets(elements, within))
        wanted = [c for n in range(8) for c in combinations(elements, n) if frozenset(c) in least]
        assert found == wanted
        assert frozenset(smallest_set(elements, within)) in least


def test_what_nothing_can_do_without_costs_nothing():
    calls = []

    def within(some):
        calls.append(some)
        return some if len(some) == 60 else None

    assert list(smallest_sets(range(60), within)) == [tuple(range(60))]
    assert len(calls) < 200
    assert smallest_set("ab", lambda some: None) is None
    assert list(smallest_sets("ab", lambda some: None)) == []
