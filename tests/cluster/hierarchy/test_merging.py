"""Merges by the definition: all pairs of clusters at every step."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from margin.cluster.hierarchy._merging import (
    connected,
    merged,
    merged_along,
    squared_error_rise,
    stepwise,
)

PAIRS = {
    "single": lambda X, a, b: cdist(X[a], X[b]).min(),
    "complete": lambda X, a, b: cdist(X[a], X[b]).max(),
    "average": lambda X, a, b: cdist(X[a], X[b]).mean(),
    "centroid": lambda X, a, b: np.linalg.norm(X[a].mean(axis=0) - X[b].mean(axis=0)),
    "ward": lambda X, a, b: np.sqrt(2 * squared_error_rise(X, a, b)),
}


@pytest.mark.parametrize("linkage", list(PAIRS))
def test_linkages_by_their_definition(linkage):
    """cluster.08: single, complete, average and mean distance; cluster.10: Ward is stepwise."""
    X = np.random.default_rng(0).normal(size=(25, 3))
    fast, slow = merged(cdist(X, X), linkage), stepwise(X, PAIRS[linkage])
    assert_allclose(fast.height, slow.height, rtol=1e-9)
    assert_array_equal(fast.children, slow.children)


def test_worked_numbers():
    """cluster.08: {0, 1} and {4, 6} are 3, 6, 4.5 and 4.5 apart; cluster.10: the rise is 20.25."""
    X = np.array([[0.0], [1.0], [4.0], [6.0]])
    last = [PAIRS[n](X, [0, 1], [2, 3]) for n in ("single", "complete", "average", "centroid")]
    assert_allclose(last, [3, 6, 4.5, 4.5])
    assert squared_error_rise(X, [0, 1], [2, 3]) == 20.25


def test_order_of_linkages():
    """cluster.08: least <= mean <= largest distance, and d_mean <= d_avg, for the same clusters."""
    X = np.random.default_rng(1).normal(size=(12, 2))
    a, b = np.arange(5), np.arange(5, 12)
    least, mean, most = (PAIRS[n](X, a, b) for n in ("single", "average", "complete"))
    assert least <= mean <= most
    assert PAIRS["centroid"](X, a, b) <= mean


def test_quality_of_ones_own():
    """cluster.10: any price of a merge, here the size of the union."""
    tree = stepwise(np.zeros((8, 1)), lambda X, a, b: len(a) + len(b))
    assert_array_equal(tree.count, [2, 2, 2, 2, 4, 4, 8])


@pytest.mark.parametrize("linkage", ["single", "complete", "average", "ward"])
def test_full_graph_is_no_constraint(linkage):
    X = np.random.default_rng(2).normal(size=(20, 2))
    D = cdist(X, X)
    along = merged_along(X, D, csr_array(np.ones((20, 20))), linkage, 1)
    free = merged(D, linkage)
    assert_allclose(along.height, free.height)
    assert_array_equal(along.children, free.children)


def test_chain_keeps_neighbours_together():
    """Only neighbours merge: every cluster is an interval of the chain."""
    X = np.random.default_rng(3).normal(size=(15, 1))
    chain = csr_array(np.eye(15, k=1))
    graph, pieces = connected("AgglomerativeClustering", chain, cdist(X, X))
    assert pieces == 1
    tree = merged_along(X, cdist(X, X), graph, "ward", 1)
    for k in range(1, 16):
        assert np.count_nonzero(np.diff(tree.cut(k))) == k - 1


def test_pieces_are_joined_at_their_closest_rows():
    X = np.array([[0.0], [1.0], [5.0], [6.0]])
    graph = csr_array(np.array([[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1], [0, 0, 1, 0.0]]))
    with pytest.warns(UserWarning, match="Completing it"):
        whole, pieces = connected("AgglomerativeClustering", graph, cdist(X, X))
    assert pieces == 2
    assert whole.toarray()[1, 2] > 0
