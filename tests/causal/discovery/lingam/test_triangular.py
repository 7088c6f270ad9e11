"""causal.11: orders of a matrix of effects."""

from itertools import permutations

import numpy as np
import pytest

from margin.causal.discovery.lingam import _triangular
from margin.causal.discovery.lingam._triangular import topological, triangular_order, waiting
from margin.search import Knowledge


def denied(effects, order):
    return sum(effects[a, b] ** 2 for at, a in enumerate(order) for b in order[at + 1 :])


@pytest.mark.parametrize("seed", range(5))
def test_the_best_of_all_orders(seed):
    effects = np.random.default_rng(seed).normal(size=(5, 5))
    answer = triangular_order(effects, Knowledge.none(5))
    least = min(denied(effects, order) for order in permutations(range(5)))
    assert answer.exact
    assert answer.left_over == pytest.approx(least)
    assert denied(effects, answer.order) == pytest.approx(least)


@pytest.mark.parametrize("seed", range(5))
def test_the_best_of_all_orders_that_knowledge_allows(seed):
    rng = np.random.default_rng(seed)
    effects = rng.normal(size=(5, 5))
    known = Knowledge.of("test", range(5), required=[(3, 1)], tiers=[[4, 3], [0]])
    waits = waiting(known)
    allowed = [
        order
        for order in permutations(range(5))
        if not any(waits[a, b] for at, a in enumerate(order) for b in order[at + 1 :])
    ]
    assert 0 < len(allowed) < 120
    answer = triangular_order(effects, known)
    assert answer.order in allowed
    assert answer.left_over == pytest.approx(min(denied(effects, o) for o in allowed))


@pytest.mark.parametrize("seed", range(5))
def test_the_threshold_finds_an_order_that_is_there(seed, monkeypatch):
    rng = np.random.default_rng(seed)
    effects = np.tril(rng.uniform(0.5, 1.0, (14, 14)), -1)
    shuffled = rng.permutation(14)
    noisy = effects[np.ix_(shuffled, shuffled)] + rng.uniform(-0.1, 0.1, (14, 14))
    answer = triangular_order(noisy, Knowledge.none(14))
    assert not answer.exact
    np.testing.assert_array_equal(shuffled[list(answer.order)], np.arange(14))
    # The smallest threshold that leaves no cycle, by trying them all.
    small = rng.normal(size=(4, 4))
    monkeypatch.setattr(_triangular, "LARGEST_EXACT", 2)
    order = triangular_order(small, Knowledge.none(4)).order
    largest = max(abs(small[a, b]) for at, a in enumerate(order) for b in order[at + 1 :])
    best = min(
        max(abs(small[a, b]) for at, a in enumerate(o) for b in o[at + 1 :])
        for o in permutations(range(4))
    )
    assert largest == pytest.approx(best)


def test_circles():
    ring = np.roll(np.eye(3, dtype=bool), 1, axis=1)
    assert topological(ring, np.zeros((3, 3))) == []
    circle = Knowledge.of("test", range(3), forbidden=[(0, 1), (1, 2), (2, 0)])
    assert not waiting(circle).any()
