"""Kernel alignment (kernels.32)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import RBF, Linear, alignment, ideal_matrix, target_alignment

X = np.random.default_rng(0).normal(size=(20, 2))


def test_cosine_of_matrices():
    """kernels.32: by hand, and its extremes."""
    K, L = RBF(1.0)(X), Linear()(X)
    wanted = (K * L).sum() / np.sqrt((K**2).sum() * (L**2).sum())
    assert_allclose(alignment(K, L), wanted, rtol=1e-13)
    assert_allclose(alignment(K, 3.0 * K), 1.0)
    assert_allclose(alignment(K, -K), -1.0)
    assert alignment(np.zeros((2, 2)), np.eye(2)) == 0.0


def test_centring():
    """A constant added to a kernel hides everything unless both are centred."""
    K = Linear()(X)
    assert alignment(K + 1e4, K) < 0.2
    assert_allclose(alignment(K + 1e4, K, centred=True), 1.0, rtol=1e-8)
    H = np.eye(20) - 1 / 20
    wanted = alignment(H @ RBF(1.0)(X) @ H, H @ K @ H)
    assert_allclose(alignment(RBF(1.0)(X), K, centred=True), wanted, rtol=1e-10)


def test_target():
    y = np.sign(X[:, 0])
    assert_allclose(target_alignment(np.outer(y, y), y), 1.0, rtol=1e-12)
    right, wrong = target_alignment(Linear()(X[:, :1]), y), target_alignment(Linear()(X[:, 1:]), y)
    assert right > 0.5 > wrong


def test_labels_are_compared_and_numbers_multiplied():
    assert_allclose(ideal_matrix([1, 2, 1]), [[1, 0, 1], [0, 1, 0], [1, 0, 1]])
    assert_allclose(ideal_matrix([1.0, -2.0]), [[1, -2], [-2, 4]])


def test_refusals():
    with pytest.raises(ValueError, match="alignment: K must be a square matrix"):
        alignment(np.ones((2, 3)), np.ones((2, 3)))
    with pytest.raises(ValueError, match="alignment: L must be of shape"):
        alignment(np.eye(2), np.eye(3))
    with pytest.raises(ValueError, match="alignment: y must be one value per object"):
        ideal_matrix([[1.0]])
