"""The symbolic factorisation holds every number of the factor."""

import numpy as np
from scipy.spatial import KDTree

from margin.linalg import fronts, nested_dissection

RNG = np.random.default_rng(0)


def test_pattern_covers_the_dense_factor():
    points = RNG.uniform(size=(300, 2))
    tree = KDTree(points)
    near = tree.sparse_distance_matrix(tree, 0.1).tocsr()
    plan = fronts(near, nested_dissection(points, near, leaf=20))
    order = np.argsort(plan.place)
    A = (near.toarray() != 0) + 300.0 * np.eye(300)
    L = np.linalg.cholesky(A[np.ix_(order, order)])
    covered = np.zeros_like(L, dtype=bool)
    for pivots, border in zip(plan.pivots, plan.borders, strict=True):
        inside = np.concatenate([plan.place[pivots], plan.place[border]])
        covered[np.ix_(inside, plan.place[pivots])] = True
    assert not np.any((L != 0) & ~covered)
    assert np.tril(covered).sum() == plan.fill
    assert plan.fill < 300 * 301 / 4
    assert 0 < plan.operations < 300**3 / 3
    owner = plan.owner
    assert all((owner[pivots] == k).all() for k, pivots in enumerate(plan.pivots))
