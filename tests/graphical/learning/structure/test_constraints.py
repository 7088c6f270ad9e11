import numpy as np
import pytest

from margin.graphical import PC
from margin.graphical.learning.structure._constraints import (
    along_the_arrows,
    constraints,
    score_of,
)
from margin.graphs import DAG, PDAG
from margin.search import (
    Categories,
    GTest,
    Knowledge,
    NetworkScore,
    Oracle,
    stable_skeleton,
)


def test_a_graph_without_extension_is_still_scored():
    X = np.random.default_rng(0).integers(0, 2, (50, 4))
    square = PDAG(4, undirected=[(0, 1), (1, 2), (2, 3), (3, 0)])
    A = along_the_arrows(square)
    DAG.from_adjacency(A)
    data = Categories.of("Test", X)
    assert score_of(square, GTest(data)) == pytest.approx(
        NetworkScore.of("Test", data, "bic").total(A)
    )
    assert np.isnan(score_of(square, Oracle(DAG(4))))


def test_report_tells_what_happened():
    model = PC(test="g", min_count=50.0).fit(np.random.default_rng(1).integers(0, 2, (150, 3)))
    text = repr(model.fit_report_)
    assert "tests, by size of the condition" in text
    assert "too little data" in text


def test_result_in_the_names_of_the_columns():
    """By an oracle: a common effect, the separated pair, and no score."""
    test = Oracle(DAG.from_edges([("rain", "wet"), ("hose", "wet")]))
    known = Knowledge.none(3)
    result = constraints(test, stable_skeleton(test, 0.05, knowledge=known), known, "PC", 1000)
    assert set(result.graph.directed) == {("rain", "wet"), ("hose", "wet")}
    assert [set(pair) for pair, _ in result.separators] == [{"rain", "hose"}]
    assert len(result.skeleton.edges) == 2
    assert np.isnan(result.solution.objective)
    assert result.solution.solver == "PC, Oracle"
    assert "no score: the test has no likelihood" in result.notes
