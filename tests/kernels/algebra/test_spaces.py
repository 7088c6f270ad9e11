"""Kernels through maps, factors, columns and on tuples (kernels.18, kernels.19, kernels.21)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import (
    RBF,
    Linear,
    Matern,
    Polynomial,
    check_psd,
    compose,
    direct_sum,
    on_columns,
    scaled_by,
    tensor,
)
from margin.testing import KernelContract


def warp(X):
    return np.hstack([X**2, np.sin(X)])


def height(X):
    return X[:, 0] - 0.3


class TestSpaces(KernelContract):
    def make(self):
        return [
            compose(RBF(1.3), warp),
            scaled_by(RBF((1.0, 2.0, 3.0)), height),
            on_columns(Matern(0.7), [0, 2]) + on_columns(Linear(), [1]),
        ]


class TestTuples(KernelContract):
    """Objects that are a vector and another vector of a different length."""

    def make(self):
        return [tensor(RBF(1.2), Polynomial(2)), direct_sum(RBF((1.0, 2.0)), Polynomial(2))]

    def draw(self, rng, n):
        return [(rng.normal(size=2), rng.normal(size=1)) for _ in range(n)]


X = np.random.default_rng(0).normal(size=(8, 3))


def test_values():
    """kernels.19: k(phi(x), phi(z)) and f(x) k(x, z) f(z)."""
    assert_allclose(compose(RBF(1.3), warp)(X), RBF(1.3)(warp(X)), rtol=1e-14)
    outer = np.outer(height(X), height(X))
    assert_allclose(scaled_by(RBF(1.3), height)(X), outer * RBF(1.3)(X), rtol=1e-13)
    assert check_psd(scaled_by(RBF(1.3), height), X)


def test_tuples_multiply_and_add():
    """kernels.18: over different spaces."""
    pairs = [(x[:2], x[2:]) for x in X]
    a, b = RBF(1.2)(X[:, :2]), Polynomial(2)(X[:, 2:])
    assert_allclose(tensor(RBF(1.2), Polynomial(2))(pairs), a * b, rtol=1e-13)
    assert_allclose(direct_sum(RBF(1.2), Polynomial(2))(pairs), a + b, rtol=1e-13)


def test_columns_are_refused():
    with pytest.raises(ValueError, match="on_columns: columns must be columns of a table of 3"):
        on_columns(RBF(), [5])(X)
    with pytest.raises(ValueError, match="on_columns: columns must be at least one column"):
        on_columns(RBF(), [])


def test_factors_are_refused():
    with pytest.raises(ValueError, match="scaled_by: function must be giving one finite number"):
        scaled_by(RBF(), lambda table: table)(X)
