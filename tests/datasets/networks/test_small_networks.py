from itertools import combinations, pairwise, permutations, product

import pytest

from margin.datasets import load_d_separation, load_flu, load_rain


def independent(ask, net, x, y, given):
    """Exact test of x ⊥ y | given on every state, by enumeration."""
    for states in product(*(net.states[node] for node in given)):
        seen = dict(zip(given, states, strict=True))
        for a in net.states[x]:
            rates = {ask(net, {x: a}, {**seen, y: b}) for b in net.states[y]}
            if len(rates) > 1:
                return False
    return True


def blocked(edges, path, given):
    """Path blocking by the definition: chains and forks by members, colliders by absence."""
    below = {node: descendants(edges, node) for node in path}
    for left, middle, right in zip(path, path[1:], path[2:], strict=False):
        collider = (left, middle) in edges and (right, middle) in edges
        if collider and not ({middle} | below[middle]) & set(given):
            return True
        if not collider and middle in given:
            return True
    return False


def descendants(edges, node):
    found = {child for parent, child in edges if parent == node}
    return found.union(*(descendants(edges, child) for child in found))


def separated(net, x, y, given):
    others = [node for node in net.nodes if node not in (x, y)]
    joined = {frozenset(edge) for edge in net.edges}
    for length in range(len(others) + 1):
        for middle in permutations(others, length):
            path = (x, *middle, y)
            real = all(frozenset(pair) in joined for pair in pairwise(path))
            if real and not blocked(net.edges, path, given):
                return False
    return True


def test_rain(check_answers, ask):
    """datasets.06: umbrella and wet ground depend on each other, not so given rain."""
    net = load_rain()
    assert check_answers(net) == 8
    assert not independent(ask, net, "umbrella", "wet", [])
    assert independent(ask, net, "umbrella", "wet", ["rain"])


def test_flu(check_answers, ask):
    """datasets.07: fever makes cough likelier, unless flu is known."""
    net = load_flu()
    assert check_answers(net) == 7
    assert net.answers["cough=yes | fever=yes"] > net.answers["cough=yes"]
    assert not independent(ask, net, "fever", "cough", [])
    assert independent(ask, net, "fever", "cough", ["flu"])


def test_d_separation_of_the_example(check_answers):
    """datasets.08: all eight conditioning sets, by the definition on paths."""
    net = load_d_separation()
    assert check_answers(net) == 3
    sets = [given for size in range(4) for given in combinations("cef", size)]
    assert set(net.separated) == set(sets)
    for given, verdict in net.separated.items():
        assert separated(net, "a", "b", given) == verdict, given


@pytest.mark.parametrize("pair", list(combinations("abcef", 2)))
def test_tables_are_faithful_to_the_graph(pair, ask):
    """datasets.08: independence in the tables and separation in the graph are the same thing."""
    net = load_d_separation()
    others = [node for node in "abcef" if node not in pair]
    for size in range(4):
        for given in combinations(others, size):
            assert independent(ask, net, *pair, list(given)) == separated(net, *pair, given)
