"""graphical.37: scores that decompose and agree on equivalent graphs."""

import numpy as np
import pytest

from margin.graphs import DAG, equivalence_class
from margin.search import Categories, Moments, NetworkScore


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 200)
    b = (a + (rng.random(200) < 0.2)) % 2
    c = rng.integers(0, 3, 200)
    d = (b + c + (rng.random(200) < 0.1)) % 3
    return np.column_stack([a, b, c, d])


@pytest.mark.parametrize("kind", ["bic", "aic", "bdeu"])
@pytest.mark.parametrize(
    "edges", [[(0, 1), (1, 3)], [(0, 1), (1, 2), (2, 3)], [(0, 1), (0, 2), (1, 2), (2, 3)]]
)
def test_equal_within_an_equivalence_class(table, kind, edges):
    """graphical.37: equivalent graphs, equal scores."""
    score = NetworkScore.of("Test", Categories.of("Test", table), kind)
    members = list(equivalence_class(DAG(4, edges)))
    assert len(members) > 1
    values = [score.total(dag.adjacency()) for dag in members]
    np.testing.assert_allclose(values, values[0], rtol=1e-12)


def test_gaussian_scores_are_equal_within_an_equivalence_class():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((60, 3)) @ rng.standard_normal((3, 3))
    score = NetworkScore.of("Test", Moments.of("Test", X), "bic")
    values = [
        score.total(DAG(3, edges).adjacency())
        for edges in ([(0, 1), (1, 2)], [(1, 0), (1, 2)], [(2, 1), (1, 0)])
    ]
    np.testing.assert_allclose(values, values[0], rtol=1e-12)


def test_total_is_the_sum_of_families(table):
    score = NetworkScore.of("Test", Categories.of("Test", table), "k2")
    A = DAG(4, [(0, 1), (2, 3), (1, 3)]).adjacency()
    parts = [
        score.family(0, []),
        score.family(1, [0]),
        score.family(2, []),
        score.family(3, [1, 2]),
    ]
    assert score.total(A) == pytest.approx(sum(parts), rel=1e-14)


def test_bad_scores_are_refused(table):
    with pytest.raises(ValueError, match="Test: score must be one of"):
        NetworkScore.of("Test", Categories.of("Test", table), "mdl")
    with pytest.raises(ValueError, match="Gaussian columns"):
        NetworkScore.of("Test", Moments.of("Test", table), "bdeu")
