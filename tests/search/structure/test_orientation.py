"""graphical.36: arrowheads."""

from itertools import product

import numpy as np
import pytest

from margin.graphs import DAG, PDAG, cpdag
from margin.search import Knowledge, Oracle, orient, propagate, stable_skeleton


def all_graphs(p):
    pairs = [(i, j) for i in range(p) for j in range(i)]
    for kinds in product([0, 1, 2], repeat=len(pairs)):
        arcs = [(a, b) if k == 1 else (b, a) for (a, b), k in zip(pairs, kinds, strict=True) if k]
        try:
            yield DAG(p, arcs)
        except ValueError:
            continue


def learned(dag):
    found = stable_skeleton(Oracle(dag), 0.5)
    return orient(found.adjacency, found.separators)


@pytest.mark.parametrize("p", [2, 3, 4])
def test_every_graph_of_few_nodes_gives_its_class(p):
    """graphical.36: all directed graphs of up to four nodes."""
    count = 0
    for dag in all_graphs(p):
        made = learned(dag)
        assert made.conflicts == ()
        np.testing.assert_array_equal(made.adjacency, cpdag(dag).adjacency())
        count += 1
    assert count == {2: 3, 3: 25, 4: 543}[p]


@pytest.mark.parametrize("seed", range(12))
def test_larger_graphs_give_their_class(seed):
    rng = np.random.default_rng(seed)
    order = rng.permutation(8)
    A = np.triu(rng.random((8, 8)) < 0.35, 1).astype(int)[np.ix_(order, order)]
    dag = DAG.from_adjacency(A)
    np.testing.assert_array_equal(learned(dag).adjacency, cpdag(dag).adjacency())


def test_known_arcs_are_completed_to_what_they_imply():
    """Every arrow after completion is in all members of the class that have the known arc."""
    from margin.graphs import equivalence_class

    rng = np.random.default_rng(1)
    for _ in range(10):
        A = np.triu(rng.random((6, 6)) < 0.5, 1).astype(int)
        dag = DAG.from_adjacency(A)
        open_edges = cpdag(dag).undirected
        if not open_edges:
            continue
        a, b = open_edges[0]
        arc = (a, b) if A[a, b] else (b, a)
        known = Knowledge.of("Test", range(6), required=[arc])
        found = stable_skeleton(Oracle(dag), 0.5)
        made = orient(found.adjacency, found.separators, known).adjacency
        members = [m.adjacency() for m in equivalence_class(dag) if m.adjacency()[arc]]
        assert members
        np.testing.assert_array_equal(made, np.max(members, axis=0))


def test_tiers_direct_edges():
    skeleton = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], dtype=np.uint8)
    known = Knowledge.of("Test", range(3), tiers=[[0], [1, 2]])
    made = orient(skeleton, {(0, 2): (1,)}, known).adjacency
    assert PDAG.from_adjacency(made).directed == ((0, 1), (1, 2))


def test_contradictory_separators_are_recorded_and_leave_no_cycle():
    path = np.zeros((4, 4), dtype=np.uint8)
    for i, j in [(0, 1), (1, 2), (2, 3)]:
        path[i, j] = path[j, i] = 1
    made = orient(path, {(0, 2): (), (1, 3): (), (0, 3): ()})
    assert made.conflicts == ((1, 2, 3),)
    rng = np.random.default_rng(2)
    for _ in range(50):
        A = np.triu(rng.random((7, 7)) < 0.5, 1).astype(np.uint8)
        A = A | A.T
        separators = {
            (i, j): tuple(k for k in range(7) if k not in (i, j) and rng.random() < 0.4)
            for i in range(7) for j in range(i + 1, 7) if not A[i, j]
        }  # fmt: skip
        PDAG.from_adjacency(orient(A, separators).adjacency)


def test_first_rule_and_rest():
    chain = np.array([[0, 1, 0], [0, 0, 1], [0, 1, 0]], dtype=np.uint8)
    np.testing.assert_array_equal(propagate(chain), [[0, 1, 0], [0, 0, 1], [0, 0, 0]])
    nothing = np.ones((3, 3), dtype=np.uint8) - np.eye(3, dtype=np.uint8)
    np.testing.assert_array_equal(propagate(nothing), nothing)
