"""Inducing points cover the data."""

import numpy as np

from margin.gp.solvers._inducing import inducing_points
from margin.kernels import RBF


def test_clusters_are_found_in_any_units():
    rng = np.random.default_rng(0)
    centres = np.array([[0.0, 0.0], [5.0, 0.0], [0.0, 5.0], [5.0, 5.0]])
    X = np.concatenate([c + 0.1 * rng.normal(size=(50, 2)) for c in centres])
    scale = np.array([1.0, 1e6])
    Z = inducing_points(RBF(1.0), X * scale, 4, scale, np.random.default_rng(1)) / scale
    order = np.lexsort((Z[:, 0].round(), Z[:, 1].round()))
    np.testing.assert_allclose(Z[order], centres, atol=0.1)


def test_few_different_rows_are_all_taken():
    X = np.repeat(np.arange(3.0), 5)[:, None]
    Z = inducing_points(RBF(1.0), X, 10, np.ones(1), np.random.default_rng(0))
    np.testing.assert_array_equal(Z.ravel(), [0.0, 1.0, 2.0])


def test_objects_are_picked_to_differ():
    class Same:
        """Objects are alike if they are equal."""

        def __call__(self, X, Z):
            return np.array([[float(x == z) for z in Z] for x in X])

        def diag(self, X):
            return np.ones(len(X))

    words = ["a", "a", "b", "a", "c", "b"]
    found = inducing_points(Same(), words, 5, np.ones(1), np.random.default_rng(0))
    assert sorted(found) == ["a", "b", "c"]
    assert len(inducing_points(Same(), words, 2, np.ones(1), np.random.default_rng(0))) == 2


def test_the_same_seed_gives_the_same_points():
    X = np.random.default_rng(0).normal(size=(100, 2))
    one, two = (inducing_points(None, X, 9, np.ones(2), np.random.default_rng(3)) for _ in "ab")
    np.testing.assert_array_equal(one, two)
