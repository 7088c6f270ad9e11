import numpy as np
import pytest

from margin.native.trees.depths import node_depths


def random_tree(rng, n_splits):
    """Children of a tree whose nodes are numbered at random, but for the root."""
    left, right, leaves = [-1], [-1], [0]
    for _ in range(n_splits):
        at = leaves.pop(rng.integers(len(leaves)))
        left[at], right[at] = len(left), len(left) + 1
        leaves += [left[at], right[at]]
        left += [-1, -1]
        right += [-1, -1]
    order = np.concatenate([[0], 1 + rng.permutation(len(left) - 1)])
    named = np.append(order, -1)
    children = np.array([left, right])
    out = np.empty_like(children)
    out[:, order] = named[children]
    return out


def twin(left, right, at=0, depth=0):
    steps = {at: depth}
    for child in (left[at], right[at]):
        if child >= 0:
            steps |= twin(left, right, child, depth + 1)
    return steps


@pytest.mark.parametrize("seed", range(5))
def test_depths_are_those_of_a_walk(seed):
    rng = np.random.default_rng(seed)
    trees = [random_tree(rng, n) for n in rng.integers(0, 40, 6)]
    offsets = np.cumsum([0] + [tree.shape[1] for tree in trees])
    left, right = np.concatenate(trees, axis=1)
    expected = [twin(*tree)[j] for tree in trees for j in range(tree.shape[1])]
    np.testing.assert_array_equal(node_depths(left, right, offsets), expected)


def test_nothing_and_a_root_alone():
    none = np.empty(0, dtype=np.int32)
    assert not node_depths(none, none, np.array([0])).size
    leaf = np.array([-1], dtype=np.int32)
    assert node_depths(leaf, leaf, np.array([0, 1])).tolist() == [0]
    assert node_depths(leaf, leaf, np.array([0, 0, 1])).tolist() == [0]


def test_a_chain_of_many_nodes():
    n = 20_001
    left, right = np.full(n, -1), np.full(n, -1)
    left[0:-1:2], right[0:-1:2] = np.arange(1, n, 2), np.arange(2, n, 2)
    assert node_depths(left, right, np.array([0, n])).max() == n // 2


def test_what_is_no_tree_ends_too():
    circle = np.array([1, 0], dtype=np.int32)
    assert node_depths(circle, np.array([-1, -1]), np.array([0, 2])).tolist() == [0, 1]
    apart = np.array([-1, -1])
    assert node_depths(apart, apart, np.array([0, 2])).tolist() == [0, -1]


@pytest.mark.parametrize("offsets", [[0, 3], [-1, 2], [1, 0]])
def test_offsets_out_of_range_are_refused(offsets):
    leaf = np.array([-1, -1])
    with pytest.raises(ValueError, match="offsets out of range"):
        node_depths(leaf, leaf, np.array(offsets))


def test_children_out_of_range_are_refused():
    with pytest.raises(ValueError, match="child out of range"):
        node_depths(np.array([5, -1]), np.array([-1, -1]), np.array([0, 2]))
    with pytest.raises(ValueError, match="different length"):
        node_depths(np.array([-1, -1]), np.array([-1]), np.array([0, 2]))
