"""causal.11: the order of linear equations."""

import numpy as np
import pytest
from equations import linear_world

from margin.causal.discovery.lingam._linear_order import linear_order
from margin.search import Knowledge


def standard(X):
    return (X - X.mean(axis=0)) / X.std(axis=0)


def entropy(u):
    first = np.mean(np.log(np.cosh(u))) - 0.37457
    return -79.047 * first**2 - 7.4129 * np.mean(u * np.exp(-(u**2) / 2)) ** 2


def all_pairs(X):
    """Every pair, with residuals in the units of the data."""
    X, left, order = X.copy(), list(range(X.shape[1])), []

    def residual(a, b):
        return a - np.cov(a, b, ddof=0)[0, 1] / b.var() * b

    def penalty(i):
        total = 0.0
        for j in left:
            if j != i:
                a, b = X[:, i], X[:, j]
                ab, ba = residual(a, b), residual(b, a)
                backward = entropy(b / b.std()) + entropy(ab / ab.std())
                total += min(0.0, backward - entropy(a / a.std()) - entropy(ba / ba.std())) ** 2
        return total

    while left:
        X -= X.mean(axis=0)
        first = min(left, key=penalty)
        left.remove(first)
        order.append(first)
        for j in left:
            X[:, j] = residual(X[:, j], X[:, first])
    return tuple(order)


@pytest.mark.parametrize("seed", range(4))
def test_the_short_way_is_the_long_way(seed):
    X, _ = linear_world(6, 150, seed)
    found = linear_order(standard(X), Knowledge.none(6))
    assert found.order == all_pairs(X)
    assert found.n_pairs <= 5 * 6 * 7 / 6


def test_nobody_stands_before_a_cause():
    X, effects = linear_world(8, 3000, 11)
    order = linear_order(standard(X), Knowledge.none(8)).order
    place = {node: at for at, node in enumerate(order)}
    assert all(place[j] < place[i] for i, j in np.argwhere(effects))


def test_knowledge_comes_first():
    X, _ = linear_world(5, 400, 3)
    free = linear_order(standard(X), Knowledge.none(5)).order
    turned = Knowledge.of("test", range(5), required=[(free[-1], free[0])])
    order = linear_order(standard(X), turned).order
    assert order.index(free[-1]) < order.index(free[0])
    tiers = Knowledge.of("test", range(5), tiers=[[4, 3], [2], [1, 0]])
    order = linear_order(standard(X), tiers).order
    assert (set(order[:2]), order[2]) == ({3, 4}, 2)
    circle = Knowledge.of("test", range(5), forbidden=[(0, 1), (1, 2), (2, 0), (3, 0), (4, 0)])
    assert sorted(linear_order(standard(X), circle).order) == [0, 1, 2, 3, 4]
