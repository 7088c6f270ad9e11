from itertools import product

import numpy as np
import pytest

from margin.datasets import make_ad_replay

OUTCOMES = ("click", "annoyed", "revenue")


def brute_force(log, policy):
    """Expected outcomes under a policy, summing over every world of the network."""
    total = dict.fromkeys(OUTCOMES, 0.0)
    for intent, query, shown in product(range(3), range(3), range(4)):
        weight = log.cpts["intent"][intent] * log.cpts["query"][intent, query]
        weight *= policy[query, shown]
        click = log.cpts["click"][intent, shown, 1]
        total["click"] += weight * click
        total["annoyed"] += weight * log.cpts["annoyed"][intent, shown, 1]
        total["revenue"] += weight * click * log.price[shown]
    return total


def test_worth_of_every_policy_by_enumeration():
    """datasets.15: exact expectations, logging policy included."""
    log = make_ad_replay(10, exploration=0.3, random_state=0)
    assert set(log.worth) == set(log.policies)
    for name, policy in log.policies.items():
        assert policy.sum(axis=1) == pytest.approx(np.ones(3))
        assert log.worth[name] == pytest.approx(brute_force(log, policy))


def test_replay_is_unbiased():
    """datasets.15: reweighted log against the exact worth, within five standard errors."""
    log = make_ad_replay(100_000, random_state=1)
    for name, weight in log.weights.items():
        assert weight.mean() == pytest.approx(1, abs=5 * weight.std() / np.sqrt(len(weight)))
        for outcome in OUTCOMES:
            terms = log[outcome] * weight
            error = 5 * terms.std() / np.sqrt(len(terms)) + 1e-12
            assert terms.mean() == pytest.approx(log.worth[name][outcome], abs=error)
        share = 1 / np.mean(weight**2)
        assert share == pytest.approx(log.effective_share[name], rel=0.1)


def test_goals_conflict_and_the_naive_average_misleads():
    """datasets.15: denser pages earn and annoy more; plain averages per layout mislead."""
    log = make_ad_replay(100_000, random_state=2)
    assert log.worth["dense"]["revenue"] > log.worth["targeted"]["revenue"]
    assert log.worth["dense"]["annoyed"] > 3 * log.worth["targeted"]["annoyed"]
    naive = log.click[log.shown == 2].mean()
    always_two = np.tile(np.eye(4)[2], (3, 1))
    assert naive > 1.3 * brute_force(log, always_two)["click"]


def test_less_exploration_means_heavier_weights():
    """datasets.15: the share of the log that can be used falls with the exploration."""
    shares = [make_ad_replay(5, exploration=e).effective_share["dense"] for e in (0.01, 0.1, 1.0)]
    assert shares == sorted(shares)
    assert shares[0] == pytest.approx(0.0025)
    with pytest.raises(ValueError, match="exploration must be a number in"):
        make_ad_replay(exploration=0.0)
