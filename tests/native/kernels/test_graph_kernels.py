"""Colour refinement and shortest paths."""

from collections import Counter

import numpy as np
import pytest
from scipy import sparse

from margin.native.kernels.graph_kernels import path_counts, refine_colours


def draw(sizes, density, n_labels, seed):
    """Random undirected graphs as offsets, arcs and labels."""
    rng = np.random.default_rng(seed)
    blocks = []
    for n in sizes:
        A = np.triu(rng.random((n, n)) < density, 1)
        blocks.append(A | A.T)
    joint = sparse.csr_array(sparse.block_diag([sparse.csr_array(b) for b in blocks if b.size]))
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    labels = rng.integers(0, n_labels, int(offsets[-1]), dtype=np.int32)
    return offsets, joint.indptr.astype(np.int64), joint.indices.astype(np.int32), labels


def twin(indptr, heads, labels, depth, kinds=None):
    rounds = [list(labels)]
    for _ in range(depth):
        old, number, fresh = rounds[-1], {}, []
        for v in range(len(labels)):
            arcs = range(indptr[v], indptr[v + 1])
            around = sorted((0 if kinds is None else kinds[e], old[heads[e]]) for e in arcs)
            fresh.append(number.setdefault((old[v], tuple(around)), len(number)))
        rounds.append(fresh)
    return rounds


@pytest.mark.parametrize("seed", range(3))
def test_colours_are_those_of_a_dictionary(seed):
    _, indptr, heads, labels = draw([9, 0, 5, 12], 0.3, 2, seed)
    kinds = np.random.default_rng(seed).integers(0, 3, len(heads), dtype=np.uint8)
    for given in (None, kinds):
        colours, sizes = refine_colours(indptr, heads, given, labels, 2, 4, 2)
        wanted = twin(indptr, heads, labels, 4, given)
        for row, size, true in zip(colours[1:], sizes[1:], wanted[1:], strict=False):
            assert row.tolist() == true
            assert size == len(set(true))
        if len(colours) < 5:  # ended early: the next round splits nothing
            assert len(set(wanted[len(colours)])) == sizes[-1]


def test_a_regular_graph_ends_at_once():
    indptr, heads = np.array([0, 1, 2]), np.array([1, 0], dtype=np.int32)
    colours, sizes = refine_colours(indptr, heads, None, np.zeros(2, dtype=np.int32), 1, 10, 1)
    assert colours.shape == (1, 2)
    assert sizes.tolist() == [1]


@pytest.mark.parametrize("n_threads", [1, 3])
def test_paths_by_floyd(n_threads):
    sizes = [6, 0, 1, 9, 14]
    offsets, indptr, heads, labels = draw(sizes, 0.2, 3, 5)
    keys, counts, starts = path_counts(offsets, indptr, heads, labels, 3, n_threads)
    A = sparse.csr_array((np.ones(len(heads)), heads, indptr), (len(labels),) * 2)
    D = sparse.csgraph.shortest_path(A, unweighted=True)
    for g in range(len(sizes)):
        wanted = Counter()
        for u in range(offsets[g], offsets[g + 1]):
            for v in range(offsets[g], offsets[g + 1]):
                if u != v and np.isfinite(D[u, v]):
                    wanted[int((labels[u] * 3 + labels[v]) * 14 + D[u, v])] += 1
        part = slice(starts[g], starts[g + 1])
        assert dict(zip(keys[part].tolist(), counts[part].tolist(), strict=True)) == wanted


def test_nothing_outside_is_read():
    labels = np.zeros(2, dtype=np.int32)
    far = np.array([2, 0], dtype=np.int32)
    with pytest.raises(ValueError, match="neighbour out of range"):
        refine_colours(np.array([0, 1, 2]), far, None, labels, 1, 1, 1)
    across = np.array([1, 0], dtype=np.int32)
    with pytest.raises(ValueError, match="an edge leaves its graph"):
        path_counts(np.array([0, 1, 2]), np.array([0, 1, 2]), across, labels, 1, 1)
    with pytest.raises(ValueError, match="label out of range"):
        path_counts(np.array([0, 2]), np.array([0, 1, 2]), across, labels + np.int32(1), 1, 1)
