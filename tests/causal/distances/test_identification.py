"""Adjustment identification distance, against the criterion in every member of both classes."""

from itertools import chain, combinations

import numpy as np
import pytest

from margin.causal import (
    CausalGraph,
    adjustment_identification_distance,
    is_adjustment_set,
    optimal_adjustment_set,
    structural_intervention_distance,
)
from margin.graphs import DAG, cpdag, equivalence_class, interventional_graph

STRATEGIES = ("parent", "ancestor", "oset")


def random_dag(p, share, rng):
    order = rng.permutation(p)
    matrix = np.zeros((p, p), dtype=bool)
    matrix[np.ix_(order, order)] = np.triu(rng.random((p, p)) < share, 1)
    return DAG.from_adjacency(matrix)


class Class:
    """Members of a class, and what holds in all of them."""

    def __init__(self, graph):
        members = [graph] if isinstance(graph, DAG) else list(equivalence_class(graph))
        self.members = [CausalGraph(d.nodes, d.edges) for d in members]
        self.nodes = members[0].nodes

    def may_act(self, t, y):
        return any(y in g.descendants(t) for g in self.members)

    def valid(self, t, y, Z):
        return y not in Z and all(is_adjustment_set(g, t, y, list(Z)) for g in self.members)

    def identified(self, t, y):
        if not self.may_act(t, y):
            return True
        rest = [n for n in self.nodes if n not in (t, y)]
        sets = chain.from_iterable(combinations(rest, k) for k in range(len(rest) + 1))
        return any(self.valid(t, y, Z) for Z in sets)


def claim(found, t, y, strategy):
    """None: not identified; "zero"; or a set to adjust for."""
    if not found.identified(t, y):
        return None
    every = [set(g.parents(t)) for g in found.members]
    if strategy == "parent":
        parents = set.intersection(*every)
        return "zero" if y in parents else parents
    if not found.may_act(t, y):
        return "zero"
    if strategy == "ancestor":
        return set.intersection(*[set(g.ancestors(t)) for g in found.members])
    return set(optimal_adjustment_set(found.members[0], t, y))


def brute_force(truth, found, strategy):
    real, guess = Class(truth), Class(found)
    wrong = 0
    for t in truth.nodes:
        for y in truth.nodes:
            if t == y:
                continue
            said = claim(guess, t, y, strategy)
            if said is None:
                wrong += real.identified(t, y)
            elif said == "zero":
                wrong += real.may_act(t, y)
            else:
                wrong += not real.valid(t, y, said)
    return wrong


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("kinds", ["dag dag", "dag class", "class dag", "class class"])
def test_every_pair_by_definition(kinds, strategy):
    rng = np.random.default_rng(0)
    for _ in range(8):
        graphs = [random_dag(5, 0.45, rng) for _ in range(2)]
        truth, found = [
            cpdag(g) if kind == "class" else g
            for g, kind in zip(graphs, kinds.split(), strict=True)
        ]
        distance = adjustment_identification_distance(truth, found, strategy)
        assert distance == brute_force(truth, found, strategy)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_classes_of_experiments(strategy):
    rng = np.random.default_rng(1)
    for _ in range(5):
        truth = random_dag(5, 0.5, rng)
        found = interventional_graph(random_dag(5, 0.5, rng), [{0, 1}])
        distance = adjustment_identification_distance(truth, found, strategy)
        assert distance == brute_force(truth, found, strategy)
        assert adjustment_identification_distance(found, found, strategy) == 0


def test_parents_in_directed_graphs_are_the_structural_intervention_distance():
    rng = np.random.default_rng(2)
    for _ in range(40):
        truth, found = random_dag(9, 0.3, rng), random_dag(9, 0.3, rng)
        distance = adjustment_identification_distance(truth, found)
        assert distance == structural_intervention_distance(truth, found)


def test_strategies_of_other_names():
    with pytest.raises(ValueError, match="strategy must be one of 'parent', 'ancestor', 'oset'"):
        adjustment_identification_distance(DAG(2, []), DAG(2, []), "children")
