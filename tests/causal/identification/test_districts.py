"""The hedge is a proof: two worlds that look alike and differ in their effects."""

from itertools import product

import numpy as np
import pytest
from worlds import random_graph

from margin.causal import CausalGraph, identify


def parity_worlds(graph, hedge):
    """Laws of the seen nodes as sums of their causes within the hedge, modulo two.

    In the second world members of the smaller set do not listen to the larger. Nodes outside are
    coins. Returns functions of hidden coins to the values of all nodes, given what is set.
    """
    larger, smaller = set(hedge.larger), set(hedge.smaller)
    order = graph.with_hidden().topological_order()
    coins = [(a, b) for a, b in graph.bidirected if a in larger and b in larger]

    def run(second, values_of_coins, noise, do):
        state = {}
        for node in order:
            if node not in graph:
                continue
            if node in do:
                state[node] = do[node]
                continue
            if node not in larger:
                state[node] = noise[node]
                continue
            total = 0
            for parent in graph.parents(node):
                if parent in larger:
                    deaf = second and node in smaller and parent not in smaller
                    total += 0 if deaf else state[parent]
            for pair, coin in zip(coins, values_of_coins, strict=True):
                if node in pair:
                    deaf = second and node in smaller and not set(pair) <= smaller
                    total += 0 if deaf else coin
            state[node] = total % 2
        return state

    return coins, run


def test_the_smallest_hedge():
    estimand = identify(CausalGraph.from_edges([("x", "y")], [("x", "y")]), "x", "y")
    assert estimand.kind == "none"
    assert estimand.hedge.larger == ("x", "y")
    assert estimand.hedge.smaller == ("y",)
    text = estimand.explain()
    assert "P(y | do(x)) cannot be computed from observations: {x, y} and {y} form a hedge" in text
    assert "x <-> y" in text
    with pytest.raises(ValueError, match="form a hedge"):
        estimand.formula()
    with pytest.raises(ValueError, match="form a hedge"):
        estimand.evaluate((("x", "y"), np.full((2, 2), 0.25)))
    assert "not identifiable" in repr(estimand)


def test_two_worlds_of_the_smallest_hedge_look_alike_and_differ():
    graph = CausalGraph.from_edges([("x", "y")], [("x", "y")])
    coins, run = parity_worlds(graph, identify(graph, "x", "y").hedge)
    laws, effects = [], []
    for second in (False, True):
        law, changed = {}, {}
        for values in product(range(2), repeat=len(coins)):
            seen = tuple(run(second, values, {}, {}).items())
            law[seen] = law.get(seen, 0) + 0.5 ** len(coins)
            for setting in range(2):
                y = run(second, values, {}, {"x": setting})["y"]
                changed[setting, y] = changed.get((setting, y), 0) + 0.5 ** len(coins)
        laws.append(law)
        effects.append(changed)
    assert laws[0] == laws[1]
    assert effects[0] != effects[1]


@pytest.mark.parametrize("block", range(5))
def test_a_hedge_is_what_it_says(block):
    """Both sets are districts of their own, lead to the same place, and the treatment is inside."""
    rng, found = np.random.default_rng(block), 0
    for _ in range(100):
        graph = random_graph(6, rng, hidden=0.5)
        names = list(rng.permutation(list(graph.nodes)))
        x, y = names[:1], names[1:2]
        estimand = identify(graph, x, y, method="general")
        if estimand.identifiable:
            continue
        found += 1
        larger, smaller = estimand.hedge.larger, estimand.hedge.smaller
        assert set(smaller) < set(larger)
        assert set(larger) & set(x)
        assert not set(smaller) & set(x)
        for part in (larger, smaller):
            assert len(graph.subgraph(part).districts()) == 1
        inside = graph.subgraph(larger)
        assert set(inside.ancestors(smaller)) | set(smaller) == set(larger)
        assert set(smaller) <= set(graph.do(x).ancestors(y)) | set(y)
    assert found > 5
