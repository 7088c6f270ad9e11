import pickle
from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_array

from margin.search import Forest


def stump(threshold=0.5, column=0, values=(-1.0, 1.0), **settings):
    return Forest.of_tree(
        n_features=3,
        feature=[column, -1, -1],
        threshold=[threshold, np.nan, np.nan],
        left=[1, -1, -1],
        right=[2, -1, -1],
        value=[[0.0], [values[0]], [values[1]]],
        **settings,
    )


def leaf(value):
    return Forest.of_tree(
        n_features=3, feature=[-1], threshold=[np.nan], left=[-1], right=[-1], value=[[value]]
    )


def chain(depth):
    """Leaves on the left of a path: numbers rise, no tree is deeper."""
    n = 2 * depth + 1
    feature, left, right = np.full(n, -1), np.full(n, -1), np.full(n, -1)
    for d in range(depth):
        feature[2 * d], left[2 * d], right[2 * d] = 0, 2 * d + 1, 2 * d + 2
    return Forest.of_tree(
        n_features=3,
        feature=feature,
        threshold=np.where(feature == 0, np.arange(n), np.nan),
        left=left,
        right=right,
        value=np.arange(n),
    )


def test_trees_add():
    forest = Forest.concatenate([stump(), leaf(10.0), stump(0.0, 2, (0.0, 100.0))])
    X = np.array([[0.5, 0.0, 0.0], [1.0, 0.0, 0.1]])
    np.testing.assert_array_equal(forest.predict(X).ravel(), [9.0, 111.0])
    np.testing.assert_array_equal(forest.predict(X, first=1, last=2).ravel(), [10.0, 10.0])
    np.testing.assert_array_equal(forest.apply(X), [[1, 0, 1], [2, 0, 2]])
    np.testing.assert_array_equal(forest.n_leaves, [2, 1, 2])
    np.testing.assert_array_equal(forest.depths, [1, 0, 1])
    assert (forest.n_trees, forest.n_nodes) == (3, 7)


def test_out_is_added_to():
    out = np.ones((1, 1))
    assert stump().predict(np.zeros((1, 3)), out=out) is out
    assert out[0, 0] == 0.0


def test_outputs_of_their_own():
    trees = [stump(values=(1.0, 2.0), output=k, n_outputs=2) for k in (1, 0, 1)]
    forest = Forest.concatenate(trees)
    np.testing.assert_array_equal(forest.predict(np.zeros((1, 3))), [[1.0, 2.0]])


def test_depths_of_a_chain():
    forest = Forest.concatenate([chain(5), leaf(0.0), chain(2)])
    np.testing.assert_array_equal(forest.depths, [5, 0, 2])
    np.testing.assert_array_equal(forest.node_depths[:11], [0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5])
    assert forest.predict(np.full((1, 3), 3.0))[0, 0] == 5.0 + 0.0 + 4.0


@pytest.mark.parametrize("trees", [slice(1, 3), [2, 0], np.array([False, True, False])])
def test_selected_trees(trees):
    every = [stump(), chain(3), stump(0.0, 2, (0.0, 100.0))]
    forest = Forest.concatenate(every)
    chosen = np.arange(3)[trees]
    X = np.random.default_rng(0).standard_normal((20, 3))
    expected = sum(every[t].predict(X) for t in chosen)
    np.testing.assert_array_equal(forest.select(trees).check().predict(X), expected)


def test_sets_of_categories_follow_their_trees():
    first = stump(np.nan, categories=[0, -1, -1], category_words=[1, 0, 0], category_bits=[1])
    second = stump(np.nan, categories=[0, -1, -1], category_words=[1, 0, 0], category_bits=[2])
    forest = Forest.concatenate([first, second]).check()
    X = np.zeros((3, 3))
    X[:, 0] = 0, 1, 40
    np.testing.assert_array_equal(forest.apply(X), [[1, 2], [2, 1], [2, 2]])
    np.testing.assert_array_equal(forest.select([1]).apply(X).ravel(), [2, 1, 2])


def test_sparse_rows():
    X = np.zeros((9000, 3))
    X[::7, 0] = 1.0
    forest = stump()
    np.testing.assert_array_equal(forest.predict(csr_array(X)), forest.predict(X))
    np.testing.assert_array_equal(forest.apply(csr_array(X)), forest.apply(X))


def test_pickles_hold_the_arrays_only():
    forest = stump()
    forest.predict(np.zeros((1, 3)))
    again = pickle.loads(pickle.dumps(forest))
    assert again.predict(np.zeros((1, 3)))[0, 0] == -1.0
    np.testing.assert_array_equal(again.threshold, forest.threshold)


def test_different_forests_are_not_joined():
    with pytest.raises(ValueError, match="different columns"):
        Forest.concatenate([stump(), replace(stump(), n_features=4)])
