"""graphs.14, causal.13: what experiments leave open."""

from itertools import combinations

import pytest

from margin.causal import experiment_design
from margin.graphs import DAG, PDAG, cpdag, enumerate_dags, equivalence_class, interventional_graph

TARGETS = [(), [{0}], [{1, 2}], [{0}, {3}], [{0, 1}, {2}], [{0, 1, 2, 3}]]


def brute_force(dag, targets):
    """Arrows shared by all equivalent graphs with the same arrows between separated pairs."""
    known = {(a, b) for a, b in dag.edges if any((a in some) != (b in some) for some in targets)}
    members = [set(g.edges) for g in equivalence_class(dag) if known <= set(g.edges)]
    shared = set.intersection(*members)
    left = [(a, b) for a, b in dag.edges if (a, b) not in shared]
    return PDAG(dag.nodes, sorted(shared), left)


@pytest.mark.parametrize("targets", TARGETS, ids=str)
def test_the_union_of_what_agrees(targets):
    for dag in list(enumerate_dags(4))[::3]:
        assert interventional_graph(dag, targets) == brute_force(dag, targets)


@pytest.mark.parametrize("mode", ["single", "several"])
def test_designed_experiments_leave_nothing_open(mode):
    """causal.13: the design determines every graph; one experiment less does not."""
    plans = [plan for plan in experiment_design(range(4), mode) if plan]  # but for observation
    dags = list(enumerate_dags(4))
    assert all(not interventional_graph(dag, plans).undirected for dag in dags)
    for fewer in combinations(plans, len(plans) - 1):
        assert any(interventional_graph(dag, fewer).undirected for dag in dags)


def test_no_experiments_and_names():
    dag = DAG.from_edges([("a", "b"), ("b", "c")])
    assert interventional_graph(dag, []) == cpdag(dag) == interventional_graph(dag, [[]])
    assert interventional_graph(dag, ["c"]).directed == (("b", "c"),)
    with pytest.raises(ValueError, match="DAG: node must be one of the nodes 'a', 'b', 'c'"):
        interventional_graph(dag, ["d"])
