"""The intersection kernel (kernels.31)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import Intersection
from margin.testing import KernelContract


class TestIntersection(KernelContract):
    def make(self):
        return [Intersection()]

    def draw(self, rng, n):
        return rng.poisson(3.0, size=(n, 4)).astype(float)


def test_brute_force_and_explicit_features():
    """kernels.31: for counts it is the scalar product of unary codes."""
    X = np.random.default_rng(0).poisson(2.0, size=(8, 3))
    wanted = [[sum(min(a, b) for a, b in zip(x, z, strict=True)) for z in X] for x in X]
    assert_allclose(Intersection()(X), wanted)
    unary = (X[:, :, None] > np.arange(X.max())).reshape(8, -1).astype(float)
    assert_allclose(Intersection()(X), unary @ unary.T)


def test_negative_entries_are_refused():
    with pytest.raises(
        ValueError, match=r"Intersection: X must be at least 0 everywhere, got -1\.0"
    ):
        Intersection()([[-1.0]])
    with pytest.raises(ValueError, match="Intersection: Z must be at least 0"):
        Intersection()([[1.0]], [[-2.0]])
