"""One search: penalty, interruption, limits."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import Status
from margin.graphical.learning.structure._structural_search import StructuralSearch
from margin.inference import JunctionTree
from margin.search import Categories, Climb, Knowledge, NetworkScore


@pytest.fixture
def search():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (200, 3)).astype(object)
    X[:, 1] = X[:, 0] ^ (rng.random(200) < 0.1)
    X[rng.random(X.shape) < 0.15] = None
    data = Categories.of("Test", X)
    known = Knowledge.none(3)
    return StructuralSearch(data, "bic", Climb(), known, rng, 64, 1e-7, 20, 1e12, 1)


@pytest.mark.parametrize("kind", ["bic", "aic"])
def test_penalty_is_that_of_the_score(search, kind):
    """graphical.37: likelihood less penalty of complete rows is the score."""
    X = np.random.default_rng(1).integers(0, 3, (50, 3))
    data = Categories.of("Test", X)
    whole = replace(search, data=data, kind=kind)
    graph = np.array([[0, 1, 1], [0, 0, 1], [0, 0, 0]], dtype=np.uint8)
    likelihood = NetworkScore.of("Test", data, kind).total(graph) + whole._penalty(graph)
    tables = [data.counts(s) for s in whole._scopes(graph)]
    exact = sum(
        float(np.sum(t * np.log(np.where(t > 0, t, 1) / np.maximum(t.sum(-1, keepdims=True), 1))))
        for t in tables
    )
    assert_allclose(likelihood, exact, rtol=1e-10)


def test_limits_and_interruption(search, monkeypatch):
    whole = search.run()
    assert whole.status is Status.CONVERGED
    assert replace(search, max_iter=1, tol=1e-300).run().n_iter == 1
    calls = []

    def impatient(self, *args, **options):
        calls.append(1)
        raise KeyboardInterrupt

    monkeypatch.setattr(JunctionTree, "marginals", impatient)
    stopped = search.run()
    assert stopped.message == "interrupted after 0 structures"
    assert stopped.status is Status.MAX_ITER
    assert calls == [1]


def test_interruption_inside_the_inner_fit_ends_the_outer_search(search, monkeypatch):
    """Ctrl-C while the tables of the second graph are fitted is not swallowed by their EM."""
    monkeypatch.setattr(StructuralSearch, "_complete", lambda self, network: self.data)
    first, second = search._climb(search.data, None)[0], np.zeros((3, 3), dtype=np.uint8)
    tables = [search.data.counts((j,)) + 1.0 for j in range(3)]
    monkeypatch.setattr(
        StructuralSearch,
        "_climb",
        lambda self, data, start: (
            (second, [t / t.sum() for t in tables]) if start is not None else whole
        ),
    )
    whole = (first, [np.full([2] * len(s), 0.5) for s in search._scopes(first)])
    real, calls = JunctionTree.expected_counts, []

    def impatient(self, *args, **options):
        if self.scopes == search._scopes(second):
            calls.append(1)
            if len(calls) == 2:
                raise KeyboardInterrupt
        return real(self, *args, **options)

    monkeypatch.setattr(JunctionTree, "expected_counts", impatient)
    stopped = search.run()
    assert stopped.interrupted
    assert stopped.message == "interrupted after 0 structures"
    assert (stopped.x == first).all()
    assert len(calls) == 2


def test_a_graph_that_is_no_better_is_dropped_and_told(search, monkeypatch):
    graph, tables = search._climb(search.data, None)
    start = search._fitted(graph, tables)
    empty = np.zeros((3, 3), dtype=np.uint8)
    counts = [search.data.counts((j,)) for j in range(3)]
    monkeypatch.setattr(
        StructuralSearch, "_climb", lambda *args: (empty, [c / c.sum() for c in counts])
    )
    repaired = search._improved(start)
    assert repaired.parameters is start
    assert "not so for the observed" in repaired.repairs[0]
