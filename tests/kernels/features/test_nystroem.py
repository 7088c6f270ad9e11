"""Nyström features (kernels.23, kernels.33)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import RBF, Constant, Matern, Polynomial, nystroem, tensor

X = np.random.default_rng(0).normal(size=(120, 2))


@pytest.mark.parametrize("landmarks", ["uniform", "pivoted"])
def test_exact_at_the_landmarks(landmarks):
    """kernels.33: k(x, L) K_LL^-1 k(L, z) is the kernel wherever one of them is a landmark."""
    features = nystroem(Matern(1.0), X, 20, landmarks=landmarks, rng=0)
    values = features(X)
    chosen = features.indices
    assert_allclose((values @ values.T)[chosen], Matern(1.0)(X)[chosen], atol=1e-9)
    assert len(set(chosen.tolist())) == 20


def test_never_more_than_the_kernel():
    """What is left is positive semi-definite: the error is on the safe side."""
    features = nystroem(RBF(1.0), X, 15, rng=0)(X)
    rest = RBF(1.0)(X) - features @ features.T
    assert np.linalg.eigvalsh(rest)[0] > -1e-9


def test_as_many_landmarks_as_features_are_enough():
    """kernels.23: a kernel of six features is exact with six pivots, and more add none."""
    features = nystroem(Polynomial(2), X, 40, landmarks="pivoted")
    assert features.n_features == 6
    assert_allclose(features(X) @ features(X).T, Polynomial(2)(X), rtol=1e-8, atol=1e-9)


def test_pivots_beat_chance():
    def error(landmarks, seed=None):
        features = nystroem(RBF(0.7), X, 30, landmarks=landmarks, rng=seed)(X)
        return np.abs(RBF(0.7)(X) - features @ features.T).max()

    assert error("pivoted") < np.median([error("uniform", seed) for seed in range(7)])


def test_objects_of_any_kind():
    pairs = [(x[:1], x[1:]) for x in X]
    features = nystroem(tensor(RBF(1.0), Polynomial(1)), pairs, 25, landmarks="pivoted")
    assert features(pairs[:4]).shape == (4, features.n_features)
    assert nystroem(Constant(2.0), list("abc"), 2, rng=0)(["z"]).shape == (1, 1)
    assert nystroem(RBF(1.0), X.tolist(), 3, rng=0)(X.tolist()).shape == (120, 3)


def test_more_landmarks_than_objects_and_repeated_objects():
    few = np.array([[0.0], [0.0], [1.0]])
    for landmarks in ("uniform", "pivoted"):
        features = nystroem(RBF(1.0), few, 10, landmarks=landmarks, rng=0)
        assert features.n_features == 2
        assert_allclose(features(few) @ features(few).T, RBF(1.0)(few), atol=1e-9)


def test_refusals():
    with pytest.raises(ValueError, match="nystroem: n must be an integer of at least 1, got 0"):
        nystroem(RBF(), X, 0)
    with pytest.raises(ValueError, match="nystroem: landmarks must be one of"):
        nystroem(RBF(), X, 5, landmarks="best")
    with pytest.raises(ValueError, match="nystroem: X must be at least one object"):
        nystroem(RBF(), np.empty((0, 2)), 5)
