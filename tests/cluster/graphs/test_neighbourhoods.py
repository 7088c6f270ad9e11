"""Neighbours within a radius, whichever search finds them."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.sparse import csr_array
from scipy.spatial.distance import cdist

from margin.cluster.graphs._neighbourhoods import Search, within


def matrix(lists, n):
    hot = np.zeros((n, n), dtype=bool)
    hot[lists.rows(), lists.number] = True
    return hot


@pytest.mark.parametrize("p", [2, 30])
@pytest.mark.parametrize(
    ("metric", "params"),
    [("euclidean", {}), ("manhattan", {}), ("minkowski", {"p": 1.5}), ("chebyshev", {}),
     ("cosine", {}), (lambda a, b: float(np.abs(a - b).sum()), {})],
)  # fmt: skip
@pytest.mark.parametrize("algorithm", ["auto", "ball_tree"])
def test_by_brute_force(p, metric, params, algorithm):
    X = np.random.default_rng(0).normal(size=(60, p))
    if metric == "cosine" and algorithm == "ball_tree":
        pytest.skip("scikit-learn has no such tree")
    known = metric if isinstance(metric, str) and metric != "manhattan" else "cityblock"
    D = cdist(X, X, known, **params)
    radius = float(np.quantile(D, 0.3)) * (1 + 1e-9)
    found = within("DBSCAN", X, radius, Search(metric, params, algorithm, 30, 1))
    assert_array_equal(matrix(found, 60), radius >= D)


def test_matrices_given():
    D = cdist(*[np.random.default_rng(1).normal(size=(20, 2))] * 2)
    search = Search("precomputed", {}, "auto", 30, 1)
    for given in (D, csr_array(D)):
        assert_array_equal(matrix(within("DBSCAN", given, 1.0, search), 20), D <= 1.0)
    with pytest.raises(ValueError, match="DBSCAN: X must be square"):
        within("DBSCAN", D[:3], 1.0, search)
