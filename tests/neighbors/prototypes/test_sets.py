"""Condensed and edited sets, by their definitions."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.spatial.distance import cdist

from margin.neighbors.prototypes._sets import condensed, edited
from margin.neighbors.search._points import SearchSettings, points_of

RNG = np.random.default_rng(0)
X = RNG.normal(size=(150, 2))
CODES = ((X[:, 0] + 0.4 * RNG.normal(size=150)) > 0).astype(np.int64)
D = cdist(X, X)


def points(rows):
    return points_of("M", rows, SearchSettings("auto", "euclidean", {}, 30, 1))


def test_condensing_keeps_the_answers_of_the_nearest():
    """Every row has a nearest kept row of its own class."""
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(150)
        kept = condensed(CODES, lambda i: D[i], order)
        assert len(kept) < 150
        assert_array_equal(CODES[kept[D[:, kept].argmin(axis=1)]], CODES)


def test_condensing_row_by_row():
    """The same set as the rule of Hart written out."""
    order = np.arange(150)
    store = [int(np.argmax(code == CODES)) for code in (0, 1)]
    changed = True
    while changed:
        changed = False
        for i in order:
            if i not in store and CODES[store[D[i, store].argmin()]] != CODES[i]:
                store.append(int(i))
                changed = True
    assert sorted(condensed(CODES, lambda i: D[i], order)) == sorted(store)


def test_rows_that_contradict_each_other_end():
    rows, codes = np.zeros((4, 1)), np.array([0, 1, 0, 1])
    kept = condensed(codes, lambda i: np.zeros(len(rows)), np.arange(4))
    assert sorted(kept) == [0, 1, 3]


@pytest.mark.parametrize("k", [1, 3])
def test_editing(k):
    """A row stays if no class has more votes of its neighbours than its own."""
    others = D + np.diag(np.full(150, np.inf))
    near = CODES[np.argsort(others, axis=1)[:, :k]]
    own = (near == CODES[:, None]).sum(axis=1)
    expected = np.flatnonzero(own >= k - own)
    assert_array_equal(edited(CODES, points(X), k, 1, repeated=False), expected)


def test_editing_again_and_again_leaves_rows_that_agree():
    kept = edited(CODES, points(X), 3, 1, repeated=True)
    again = edited(CODES[kept], points(X[kept]), 3, 1, repeated=False)
    assert len(again) == len(kept)
