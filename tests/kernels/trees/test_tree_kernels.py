"""Kernels of trees (kernels.30)."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.kernels import AllSubtrees, SubsetTrees, normalise
from margin.testing import KernelContract


def grow(rng, depth=3):
    label = str(rng.choice(list("AB")))
    if depth == 0 or rng.random() < 0.3:
        return label
    return (label, *(grow(rng, depth - 1) for _ in range(rng.integers(1, 3))))


def draw(rng, n):
    return [(), *(grow(rng) for _ in range(n - 1))]


class TestAllSubtrees(KernelContract):
    def make(self):
        return [AllSubtrees(1.0), AllSubtrees(0.4), normalise(AllSubtrees(0.7))]

    def draw(self, rng, n):
        return draw(rng, n)


class TestSubsetTrees(KernelContract):
    def make(self):
        return [SubsetTrees(1.0), SubsetTrees(0.4), normalise(SubsetTrees(0.7))]

    def draw(self, rng, n):
        return draw(rng, n)


def nodes(tree):
    """All subtrees, leaves as tuples of one."""
    tree = tree if isinstance(tree, tuple) else (tree,)
    if tree:
        yield tree
        for child in tree[1:]:
            yield from nodes(child)


def size(tree):
    return sum(1 for _ in nodes(tree))


def plain(tree):
    """The same tree with every leaf as a tuple."""
    return (tree[0], *(plain(c) for c in tree[1:])) if isinstance(tree, tuple) else (tree,)


def fragments(tree):
    """Fragments rooted here, as (fragment, inner nodes): every node with all children or none."""
    children = [plain(c) for c in tree[1:]]
    if not children:
        return
    choices = [[((c[0],), 0), *fragments(c)] for c in children]
    for chosen in product(*choices):
        yield (tree[0], *(f for f, _ in chosen)), 1 + sum(inner for _, inner in chosen)


def test_all_subtrees_by_comparing_all():
    X = draw(np.random.default_rng(1), 12)
    parts = [[plain(t) for t in nodes(tree)] for tree in X]
    wanted = [[sum(0.6 ** size(s) for s in a for t in b if s == t) for b in parts] for a in parts]
    assert_allclose(AllSubtrees(0.6)(X), wanted, rtol=1e-12)


def test_subset_trees_by_listing_all_fragments():
    X = draw(np.random.default_rng(2), 10)
    parts = [[f for t in nodes(tree) for f in fragments(plain(t))] for tree in X]
    wanted = [
        [sum(0.6**inner for s, inner in a for t, _ in b if s == t) for b in parts] for a in parts
    ]
    assert_allclose(SubsetTrees(0.6)(X), wanted, rtol=1e-12)


def test_threads_change_nothing():
    X = draw(np.random.default_rng(3), 30)
    assert_array_equal(SubsetTrees()(X, n_threads=1), SubsetTrees()(X, n_threads=3))


@pytest.mark.parametrize("kernel", [AllSubtrees, SubsetTrees])
@pytest.mark.parametrize("decay", [0.0, -1.0, float("inf"), "1"])
def test_decay_must_be_positive(kernel, decay):
    need = "finite" if decay == float("inf") else "a number above 0"
    with pytest.raises(ValueError, match=f"{kernel.__name__}: decay must be {need}"):
        kernel(decay)
