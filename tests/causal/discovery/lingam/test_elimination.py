"""Regressions along an order."""

import numpy as np
from equations import linear_world

from margin.causal.discovery.lingam._elimination import linear_effects
from margin.search import Knowledge


def test_without_a_penalty_least_squares():
    X, _ = linear_world(5, 80, 0)
    X = X - X.mean(axis=0)
    order = (3, 1, 4, 0, 2)
    effects = linear_effects(X.T @ X / 80, 80, order, Knowledge.none(5), 0.0)
    for place, target in enumerate(order):
        before = list(order[:place])
        expected = np.zeros(5)
        expected[before] = np.linalg.lstsq(X[:, before], X[:, target])[0]
        np.testing.assert_allclose(effects[target], expected, atol=1e-10)


def test_what_stays_is_least_squares_of_its_own_and_worth_its_price():
    X, _ = linear_world(6, 200, 1)
    X = X - X.mean(axis=0)
    price = np.log(200)
    effects = linear_effects(X.T @ X / 200, 200, range(6), Knowledge.none(6), price)

    def left(target, causes):
        slopes = np.linalg.lstsq(X[:, causes], X[:, target])[0]
        return slopes, ((X[:, target] - X[:, causes] @ slopes) ** 2).sum()

    for target in range(6):
        causes = np.flatnonzero(effects[target])
        slopes, rss = left(target, causes)
        np.testing.assert_allclose(effects[target, causes], slopes, atol=1e-10)
        for cause in causes:
            without = left(target, causes[causes != cause])[1]
            assert 200 * np.log(without / rss) >= price


def test_required_stay_and_forbidden_go():
    X = np.random.default_rng(2).uniform(size=(300, 3))
    X[:, 2] += X[:, 1]
    X -= X.mean(axis=0)
    known = Knowledge.of("test", range(3), required=[(0, 2)], forbidden=[(1, 2)])
    effects = linear_effects(X.T @ X / 300, 300, range(3), known, np.log(300))
    assert effects[2, 0] != 0
    assert effects[2, 1] == 0
