import numpy as np
import pytest

from margin.graphical import HillClimb
from margin.graphical.learning.structure import _columns
from margin.graphs import DAG
from margin.search import Categories, Moments


def test_read_by_model():
    assert isinstance(_columns.read("Test", [[1, 2]], "categorical"), Categories)
    assert isinstance(_columns.read("Test", [[1, 2], [2, 1]], "gaussian"), Moments)


def test_starting_graphs():
    names = ("a", "b", "c")
    model = HillClimb(start=DAG(names, [("a", "b")]), max_parents=1)
    known = _columns.knowledge(model, names)
    assert _columns.starting_graph(model, names, known).sum() == 1
    assert _columns.starting_graph(HillClimb(), names, known) is None
    many = HillClimb(start=[("a", "c"), ("b", "c")], max_parents=1)
    with pytest.raises(ValueError, match="start must be a graph of at most 1 parents"):
        _columns.starting_graph(many, names, known)
    barred = HillClimb(start=[("a", "b")], forbidden=[("a", "b")])
    with pytest.raises(ValueError, match="start must be without forbidden arcs"):
        _columns.starting_graph(barred, names, _columns.knowledge(barred, names))


def test_names_come_back():
    A = np.array([[0, 1], [0, 0]])
    assert _columns.dag(A, ("u", "v")).edges == (("u", "v"),)
    assert _columns.pdag(A | A.T, ("u", "v")).undirected == (("u", "v"),)
