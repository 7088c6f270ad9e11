import numpy as np
import pytest

from margin.core import Status
from margin.search import (
    Categories,
    Knowledge,
    NetworkScore,
    exact_search,
    largest_sets,
    parent_sets,
    useful_parents,
)


@pytest.fixture(scope="module")
def score():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 2, (150, 4))
    X[:, 3] = X[:, 0] ^ X[:, 1]
    return NetworkScore.of("Test", Categories.of("Test", X), "bic")


def test_finds_parity(score):
    found = exact_search(score, Knowledge.none(4))
    joined = (found.x + found.x.T)[:3, :3].astype(bool) | False
    assert found.x.sum() == 2
    assert found.x.sum(axis=0).max() == 2
    assert not joined[2].any()
    assert found.objective == pytest.approx(score.total(found.x))


def test_limits_and_knowledge(score):
    free = exact_search(score, Knowledge.none(4)).objective
    one = exact_search(score, Knowledge.none(4), max_parents=1)
    assert one.x.sum(axis=0).max() <= 1
    assert one.objective < free
    known = Knowledge.of("Test", range(4), required=[(2, 0)], forbidden=[(0, 3)])
    held = exact_search(score, known)
    assert held.x[2, 0] == 1
    assert held.x[0, 3] == 0
    assert held.objective < free


def test_impossible_demands_fail(score):
    known = Knowledge.of("Test", range(4), required=[(0, 3), (1, 3)])
    assert exact_search(score, known, max_parents=1).status is Status.FAILED


def test_parent_sets_are_all_subsets():
    assert sorted(parent_sets(4, 4).tolist()) == list(range(16))
    assert len(parent_sets(10, 3)) == 1 + 10 + 45 + 120


def test_affordable_sets_of_parents():
    assert largest_sets(1, 100, 2.0, 1.0) == 0
    assert largest_sets(8, 10**6, 5.0, 1.0) == 1
    assert largest_sets(8, 10, 2.0, 1e9) == 7
    sizes = [largest_sets(20, 300, 3.0, work) for work in (1e6, 1e7, 1e8, 1e9, 1e10, 1e12)]
    assert sizes == sorted(sizes)
    assert sizes[-1] == 19


@pytest.mark.parametrize("kind", ["bic", "aic"])
@pytest.mark.parametrize("n", [4, 9, 20])
def test_more_parents_than_are_useful_never_win(kind, n):
    """Even where one node is a function of all others."""
    limit = useful_parents(n, kind)
    for seed in range(10):
        X = np.random.default_rng(seed).integers(0, 2, (n, 7))
        X[:, 6] = X[:, :6].sum(axis=1) % 2
        score = NetworkScore.of("Test", Categories.of("Test", X), kind)
        whole = exact_search(score, Knowledge.none(7))
        few = exact_search(score, Knowledge.none(7), max_parents=limit)
        assert whole.objective == pytest.approx(few.objective, abs=1e-9)
        assert whole.x.sum(axis=0).max() <= limit


def test_useful_parents_are_open_elsewhere():
    assert useful_parents(100, "bdeu") is None
    assert useful_parents(1, "bic") is None
