from itertools import combinations

import numpy as np
import pytest
from scipy.special import xlogy

from margin.graphical import TAN, ChowLiu
from margin.search import Categories, NetworkScore


def rows(n=200):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (n, 4))
    X[:, 1] = (X[:, 0] + (rng.random(n) < 0.3)) % 3
    X[:, 3] = (X[:, 1] + (rng.random(n) < 0.4)) % 3
    return X


def likelihood(X, A):
    """Log likelihood at the maximum, counted family by family."""
    total = 0.0
    for j in range(X.shape[1]):
        above = np.flatnonzero(A[:, j])
        _, family = np.unique(X[:, [*above, j]], axis=0, return_counts=True)
        parents = np.unique(X[:, above], axis=0, return_counts=True)[1] if len(above) else [len(X)]
        total += xlogy(family, family).sum() - xlogy(parents, parents).sum()
    return total


def test_best_of_all_trees_and_its_likelihood():
    X = rows()
    model = ChowLiu().fit(X)
    best = -np.inf
    for edges in combinations(list(combinations(range(4), 2)), 3):
        A = np.zeros((4, 4), dtype=int)
        seen, left = {0}, list(edges)
        while left:
            step = next((e for e in left if len(seen & set(e)) == 1), None)
            if step is None:
                break
            left.remove(step)
            a, b = step if step[0] in seen else step[::-1]
            A[a, b] = 1
            seen.add(b)
        if not left and len(seen) == 4:
            best = max(best, likelihood(X, A))
    assert model.score_ == pytest.approx(best)


def test_the_root_changes_nothing_but_arrows():
    X = rows()
    trees = [ChowLiu(root=r).fit(X) for r in range(4)]
    assert len({frozenset(map(frozenset, t.graph_.edges)) for t in trees}) == 1
    assert [t.graph_.roots() for t in trees] == [(0,), (1,), (2,), (3,)]
    np.testing.assert_allclose([t.score_ for t in trees], trees[0].score_)


def test_tan_beats_naive_bayes():
    X = rows()
    model = TAN(target=2).fit(X)
    graph = model.graph_
    assert set(graph.children(2)) == {0, 1, 3}
    assert sorted(len(graph.parents(j)) for j in (0, 1, 3)) == [1, 2, 2]
    naive = np.zeros((4, 4), dtype=int)
    naive[2, [0, 1, 3]] = 1
    assert model.score_ > likelihood(X, naive)
    assert model.score_ == pytest.approx(likelihood(X, graph.adjacency()))


def test_unknown_values_scale_to_all_rows():
    X = rows().astype(float)
    X[:50, 2] = np.nan
    model = ChowLiu().fit(X)
    score = NetworkScore.of("Test", Categories.of("Test", X), "aic")
    assert model.score_ > score.total(model.graph_.adjacency())


@pytest.mark.parametrize(
    ("model", "message"),
    [
        (ChowLiu(root="q"), "ChowLiu: root must be one of the columns"),
        (TAN(target="q"), "TAN: target must be one of the columns"),
        (TAN(target=1, root=1), "TAN: root must be different from the class"),
    ],
)
def test_bad_names(model, message):
    with pytest.raises(ValueError, match=message):
        model.fit(rows(10))
    with pytest.raises(ValueError, match="TAN: X must be of at least one column besides"):
        TAN().fit([[1], [2]])
