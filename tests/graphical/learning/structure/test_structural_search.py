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
    return StructuralSearch("Test", data, "bic", Climb(), known, rng, 64, 1e-7, 20, 1)


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
    found = search.run()
    assert found.message == "interrupted after 1 structures"
    assert found.status is Status.MAX_ITER
    assert calls == [1]
