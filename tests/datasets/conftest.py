"""The oracle for every network: exact sums over all joint states."""

from fractions import Fraction
from itertools import product

import pytest


def _exact(value):
    # Tables hold decimals and ratios of small counts, which this recovers exactly.
    return Fraction(float(value)).limit_denominator(10**6)


def _worlds(network, do):
    """Every joint state with its exact probability under the (mutilated) factorisation."""
    for codes in product(*(range(len(network.states[node])) for node in network.nodes)):
        world = dict(zip(network.nodes, codes, strict=True))
        weight = Fraction(1)
        for node in network.nodes:
            if node in do:
                weight *= network.states[node][world[node]] == do[node]
            else:
                index = tuple(world[parent] for parent in network.parents[node])
                weight *= _exact(network.cpts[node][(*index, world[node])])
        yield world, weight


def _matches(network, world, assignment):
    return all(network.states[node][world[node]] == state for node, state in assignment.items())


def enumerate_query(network, targets, evidence=None, do=None):
    """p(targets | evidence, do) by brute force, as a fraction."""
    evidence, do = evidence or {}, do or {}
    joint = total = Fraction(0)
    for world, weight in _worlds(network, do):
        if _matches(network, world, evidence):
            total += weight
            joint += weight * _matches(network, world, targets)
    return joint / total


def model_answer(network, targets, evidence, do):
    """p(targets | evidence, do) by the ``BayesianNetwork`` that comes along."""
    result = network.network.query(list(targets), evidence, do=do)
    assert list(result.variables) == list(targets)
    return result.values[tuple(network.states[n].index(s) for n, s in targets.items())]


@pytest.fixture
def ask():
    return enumerate_query


@pytest.fixture
def check_answers():
    """Compare every golden number of a network with brute force, and its model's answer too.

    Returns how many there were.
    """

    def check(network):
        for text, answer in network.answers.items():
            exact = enumerate_query(network, **network.queries[text])
            if isinstance(answer, Fraction):
                assert answer == exact, text
            else:
                assert answer == pytest.approx(float(exact), rel=1e-12), text
            assert model_answer(network, **network.queries[text]) == pytest.approx(float(exact))
        return len(network.answers)

    return check
