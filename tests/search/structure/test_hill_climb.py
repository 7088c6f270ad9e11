"""graphical.37: hill climbing, tabu, restarts, annealing."""

import numpy as np
import pytest

from margin.core import Status
from margin.native.structure import structure
from margin.search import (
    Categories,
    Climb,
    Knowledge,
    NetworkScore,
    exact_search,
    hill_climb,
    reaches,
)
from margin.search.structure._hill_climb import perturbed


@pytest.fixture(scope="module")
def score():
    rng = np.random.default_rng(3)
    X = rng.integers(0, 2, (300, 7))
    X[:, 2] = X[:, 0] ^ X[:, 1] ^ (rng.random(300) < 0.1)
    X[:, 4] = X[:, 2] | X[:, 3]
    X[:, 6] = X[:, 5] ^ (rng.random(300) < 0.2)
    return NetworkScore.of("Test", Categories.of("Test", X), "bdeu")


def climb(score, known=None, seed=0, **options):
    known = Knowledge.none(score.n_nodes) if known is None else known
    return hill_climb(score, Climb(**options), known, np.random.default_rng(seed))


def test_acyclic_and_scored(score):
    found = climb(score)
    A = found.x.astype(np.uint8)
    assert found.status is Status.CONVERGED
    assert not any(reaches(A, j, i) for i, j in np.argwhere(A))
    assert found.objective == pytest.approx(score.total(A))
    assert found.certificate.value == 0.0
    assert found.objective == pytest.approx(found.trace["objective"].max())


def test_each_remedy_is_no_worse_and_annealing_finds_the_parity(score):
    """graphical.37: tabu, restarts, annealing."""
    plain = climb(score, tabu_length=0).objective
    best = exact_search(score, Knowledge.none(7)).objective
    restarted = climb(score, n_restarts=20, perturbation=6).objective
    annealed = climb(score, annealing=True).objective
    assert plain <= climb(score).objective <= best + 1e-9
    assert plain <= restarted <= best + 1e-9
    # Parity has no signal in single parents: only chance moves find it.
    assert annealed == pytest.approx(best)
    assert plain < best - 1


def test_knowledge_and_limits(score):
    known = Knowledge.of("Test", range(7), required=[(6, 0)], forbidden=[(5, 6), (6, 5)])
    A = climb(score, known, max_parents=1).x
    assert A[6, 0] == 1
    assert A[5, 6] == A[6, 5] == 0
    assert A.sum(axis=0).max() <= 1


def test_cut_short(score):
    found = climb(score, max_iter=1)
    assert found.status is Status.MAX_ITER
    assert "max_iter=1" in found.message
    assert not found.certificate.holds


def test_perturbed_graphs_stay_legal():
    rng = np.random.default_rng(0)
    known = Knowledge.of("Test", range(6), required=[(0, 1)], forbidden=[(2, 3)])
    graph = known.required.copy()
    for _ in range(50):
        graph = perturbed(graph, known, 2, 5, rng)
        assert graph[0, 1]
        assert not graph[2, 3]
        assert graph.sum(axis=0).max() <= 2
        assert not any(reaches(graph, j, i) for i, j in np.argwhere(graph))


@pytest.mark.parametrize("where", ["climb", "anneal"])
def test_interruption_keeps_the_best_graph(score, monkeypatch, where):
    """The walk that was interrupted is the last, and what it found is kept."""
    whole, walks = getattr(structure, where), []

    def stopped(*args, **options):
        walks.append(where)
        found = whole(*args, **options)
        return (*found[:-1], "interrupted" if where == "climb" else False)

    monkeypatch.setattr(structure, where, stopped)
    found = climb(score, n_restarts=3, annealing=where == "anneal")
    assert walks == [where]
    assert found.status is Status.MAX_ITER
    assert found.message.startswith("interrupted after")
    assert found.objective == pytest.approx(score.total(found.x.astype(np.uint8)))
    assert found.objective > score.total(np.zeros((7, 7), dtype=np.uint8))
