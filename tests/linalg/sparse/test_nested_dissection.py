"""The order of elimination: every unknown once, separators after what they separate."""

import numpy as np
from scipy.spatial import KDTree

from margin.linalg import bisection, nested_dissection

RNG = np.random.default_rng(0)


def near(points, radius):
    return KDTree(points).sparse_distance_matrix(KDTree(points), radius).tocsr()


def test_separators_separate():
    points = RNG.uniform(size=(600, 2))
    graph = near(points, 0.06)
    made = nested_dissection(points, graph, leaf=40)
    assert np.array_equal(np.sort(np.concatenate(made.groups)), np.arange(600))
    below = [set(group.tolist()) for group in made.groups]
    for k, children in enumerate(made.children):
        for child in children:
            assert child < k
            below[k] |= below[child]
        for a in children:
            for b in children:
                if a < b:
                    assert graph[sorted(below[a])][:, sorted(below[b])].nnz == 0
    assert sum(len(group) for group in made.groups) == 600
    assert max(map(len, made.groups)) < 100


def test_a_dense_graph_is_one_group():
    points = RNG.uniform(size=(300, 2))
    assert len(nested_dissection(points, near(points, 2.0)).groups) == 1


def test_separate_clusters_share_nothing():
    points = np.concatenate([RNG.uniform(size=(150, 1)), 9 + RNG.uniform(size=(150, 1))])
    made = nested_dissection(points, near(points, 1.0))
    assert made.children == ((), ())
    assert nested_dissection(np.empty((0, 2)), near(np.zeros((1, 2)), 1.0)).groups == ()


def test_bisection_covers_everything():
    points = RNG.uniform(size=(100, 3))
    groups = bisection(points, 16)
    assert max(map(len, groups)) <= 16
    assert np.array_equal(np.sort(np.concatenate(groups)), np.arange(100))
