"""Networks and a brute-force oracle for the tests of graphical models."""

from itertools import product

import numpy as np
import pytest

from margin.datasets import load_burglary
from margin.graphical import BayesianNetwork


def random_network(rng, n=6, edge=0.4, cards=(1, 2, 3)):
    """Network of random tables along a random order, some nodes with one state."""
    names = [f"v{i}" for i in rng.permutation(n)]
    card = {name: int(rng.choice(cards)) for name in names}
    edges, cpds = [], {}
    for at, name in enumerate(names):
        parents = [p for p in names[:at] if rng.random() < edge]
        edges += [(p, name) for p in parents]
        shape = [card[p] for p in parents]
        cpds[name] = rng.dirichlet(np.ones(card[name]), size=shape)
    states = {name: [f"s{k}" for k in range(card[name])] for name in names}
    return BayesianNetwork.from_edges(edges, cpds, states)


class Enumeration:
    """All configurations of a discrete model with their probabilities, by the definition."""

    def __init__(self, names, states, weight):
        self.names = list(names)
        self.states = [list(states[n]) for n in self.names]
        self.rows = list(product(*self.states))
        self.p = np.array([weight(dict(zip(self.names, row, strict=True))) for row in self.rows])
        self.total = self.p.sum()

    @classmethod
    def of_network(cls, network):
        def weight(x):
            value = 1.0
            for name in network.variables:
                parents = network._model.parents[name]
                at = [network.states[n].index(x[n]) for n in (*parents, name)]
                value *= network.table(name)[tuple(at)]
            return value

        return cls(network.variables, network.states, weight)

    @classmethod
    def of_factors(cls, model):
        def weight(x):
            value = 1.0
            for scope, table in model.factors:
                value *= table[tuple(model.states[n].index(x[n]) for n in scope)]
            return value

        return cls(model.variables, model.states, weight)

    def mass(self, x, likelihoods=None):
        """Sum over the configurations that agree with ``x``, times the likelihoods."""
        keep = np.array(
            [all(row[self.names.index(n)] == s for n, s in x.items()) for row in self.rows]
        )
        weight = self.p * keep
        for name, values in (likelihoods or {}).items():
            at = self.names.index(name)
            weight = weight * [values[self.states[at].index(row[at])] for row in self.rows]
        return weight.sum()

    def posterior(self, targets, evidence=None, likelihoods=None):
        evidence = evidence or {}
        states = [self.states[self.names.index(t)] for t in targets]
        values = []
        for words in product(*states):
            wanted = dict(zip(targets, words, strict=True))
            clash = any(evidence.get(t, s) != s for t, s in wanted.items())
            values.append(0.0 if clash else self.mass({**evidence, **wanted}, likelihoods))
        table = np.reshape(values, [len(s) for s in states])
        return table / self.mass(evidence, likelihoods)


@pytest.fixture
def burglary():
    data = load_burglary()
    return BayesianNetwork.from_edges(data.edges, data.cpts, data.states)


@pytest.fixture
def oracle():
    return Enumeration


@pytest.fixture
def make_network():
    return random_network
