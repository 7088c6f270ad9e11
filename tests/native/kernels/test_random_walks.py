"""Sums over common walks."""

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from margin.native.kernels.pairs import ALL, DIAGONAL, LOWER
from margin.native.kernels.random_walks import walk_sums


def draw(sizes, directed, seed):
    rng = np.random.default_rng(seed)
    blocks = [np.triu(rng.random((n, n)) < 0.4, 1) for n in sizes]
    if not directed:
        blocks = [A | A.T for A in blocks]
    elif len(blocks[0]) > 1:
        blocks[0][1, 0] = blocks[0][0, 1] = True  # a circle: walks without end
    joint = sparse.csr_array(sparse.block_diag([sparse.csr_array(A) for A in blocks]))
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    labels = rng.integers(0, 2, int(offsets[-1]), dtype=np.int32)
    arrays = offsets, joint.indptr.astype(np.int64), joint.indices.astype(np.int32), labels
    radii = np.array([np.abs(np.linalg.eigvals(A.astype(float))).max() for A in blocks])
    return blocks, [labels[a:b] for a, b in itertools.pairwise(offsets)], arrays, radii


def product_matrix(A, B, a, b):
    W = np.kron(A, B).astype(float)
    same = np.equal.outer(a, b).ravel()
    return W * np.outer(same, same), same.astype(float)


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("n_steps", [-1, 3])
def test_the_product_graph_in_full(directed, n_steps):
    blocks, labels, arrays, radii = draw([4, 1, 6, 5], directed, 0)
    decay = 0.8 / radii.max() ** 2
    undirected = np.full(4, not directed, dtype=np.uint8)
    values, slopes = walk_sums(arrays, radii, undirected, 2, 2, decay, n_steps, ALL, True, 1)
    for i in range(2):
        for j in range(2):
            W, one = product_matrix(blocks[i], blocks[2 + j], labels[i], labels[2 + j])
            if n_steps < 0:
                x = np.linalg.solve(np.eye(len(W)) - decay * W, one)
                y = np.linalg.solve(np.eye(len(W)) - decay * W.T, one)
                value, slope = one @ x, decay * y @ W @ x
            else:
                powers = [decay**k * one @ np.linalg.matrix_power(W, k) @ one for k in range(4)]
                value, slope = sum(powers), sum(k * p for k, p in enumerate(powers))
            assert_allclose(values[i, j], value, rtol=1e-12)
            assert_allclose(slopes[i, j], slope, rtol=1e-10, atol=1e-12)


def test_threads_and_shapes_agree():
    _, _, arrays, radii = draw([4, 3, 6, 5], False, 1)
    flags = np.ones(4, dtype=np.uint8)
    decay = 0.5 / radii.max() ** 2
    full, _ = walk_sums(arrays, radii, flags, 4, 0, decay, -1, ALL, False, 1)
    lower, _ = walk_sums(arrays, radii, flags, 4, 0, decay, -1, LOWER, False, 3)
    diagonal, _ = walk_sums(arrays, radii, flags, 4, 0, decay, -1, DIAGONAL, False, 2)
    assert_allclose(full, lower, rtol=1e-12)
    assert_array_equal(lower, lower.T)
    assert_array_equal(np.diagonal(lower), diagonal[:, 0])


def test_nothing_outside_is_read():
    _, _, arrays, radii = draw([4, 3], False, 1)
    flags = np.ones(2, dtype=np.uint8)
    offsets = np.array([0, 2, 7])
    with pytest.raises(ValueError, match="an edge leaves its graph"):
        walk_sums((offsets, *arrays[1:]), radii, flags, 2, 0, 0.1, 2, LOWER, False, 1)
    with pytest.raises(ValueError, match="arrays do not fit"):
        walk_sums(arrays, radii[:1], flags, 2, 0, 0.1, 2, LOWER, False, 1)
