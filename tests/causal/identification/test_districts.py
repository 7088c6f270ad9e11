"""The hedge is a proof: two worlds that look alike and differ in their effects."""

from itertools import product

import numpy as np
import pytest
from worlds import question, random_graph

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
        x, y, _ = question(graph, rng, most=1)
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


def forest(graph, inside, ends):
    """One child for every node but the ends, so that all arrows lead to the ends."""
    child, reached = {}, set(ends)
    while True:
        fresh = {
            node: next(c for c in graph.children(node) if c in reached)
            for node in inside
            if node not in reached and set(graph.children(node)) & reached
        }
        if not fresh:
            return child
        child |= fresh
        reached |= set(fresh)


def spanning_pairs(graph, smaller, larger):
    """A spanning tree of the bidirected edges of the larger set that spans the smaller first."""
    chosen, joined = [], {smaller[0]}
    for part in (set(smaller), set(larger)):
        while joined < part:
            pair = next(
                (a, b) for a, b in graph.bidirected if {a, b} <= part and len({a, b} & joined) == 1
            )
            chosen.append(pair)
            joined |= set(pair)
    return chosen


def counts_of_two_worlds(graph, hedge, x, y):
    """How often each row is seen, and each parity of the outcome when the treatment is set to 0.

    Bits of the hedge are sums of their causes modulo two; in the second world the smaller set does
    not listen to the rest of the larger. The parity of the smaller set is carried on to the outcome
    along single arrows by a second bit.
    """
    smaller, larger = hedge.smaller, hedge.larger
    up = forest(graph, larger, smaller)
    pairs = spanning_pairs(graph, smaller, larger)
    down = forest(graph.do(x), [n for n in graph.nodes if n not in x], y)
    order = graph.with_hidden().topological_order()
    coins = np.array(list(product(range(2), repeat=len(pairs)))).T
    worlds = []
    for deaf in (False, True):
        answers = []
        for do in ((), x):
            bit = {n: np.zeros(2 ** len(pairs), dtype=int) for n in graph.nodes}
            carried = {n: np.zeros(2 ** len(pairs), dtype=int) for n in graph.nodes}
            for node in order:
                if node not in graph or node in do:
                    continue
                own = set(smaller) if deaf and node in smaller else set(larger)
                if node in larger:
                    sources = [p for p, c in up.items() if c == node and p in own]
                    heard = [coin for pair, coin in zip(pairs, coins, strict=True)
                             if node in pair and set(pair) <= own]  # fmt: skip
                    bit[node] = (sum(bit[p] for p in sources) + sum(heard)) % 2 + 0 * bit[node]
                through = [p for p, c in down.items() if c == node]
                carried[node] = (
                    sum(carried[p] + bit[p] * (p in smaller) for p in through) % 2
                    + 0 * carried[node]
                )
            if do:
                parity = sum(carried[n] + bit[n] * (n in smaller) for n in y) % 2
                answers.append(np.bincount(parity, minlength=2).tolist())
            else:
                rows = np.stack([*bit.values(), *carried.values()])
                seen, count = np.unique(rows, axis=1, return_counts=True)
                answers.append((seen.tolist(), count.tolist()))
        worlds.append(answers)
    return worlds


@pytest.mark.parametrize("block", range(3))
def test_effects_without_a_formula_differ_between_worlds_that_look_alike(block):
    """Each refusal of random graphs is proved: one law of what is seen, two effects."""
    rng, proved = np.random.default_rng([5, block]), 0
    for _ in range(200):
        graph = random_graph(rng.integers(4, 8), rng, hidden=0.4)
        x, y, _ = question(graph, rng)
        hedge = identify(graph, x, y).hedge
        if hedge is None:
            continue
        proved += 1
        first, second = counts_of_two_worlds(graph, hedge, x, y)
        assert first[0] == second[0]
        assert first[1] != second[1]
    assert proved > 40
