"""Comparing many objects with the same ones."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin import kernels
from margin.svm import _columns
from margin.svm._columns import columns_of

RNG = np.random.default_rng(0)
X, Z = RNG.normal(size=(30, 3)), RNG.normal(size=(41, 3))
COEF = RNG.normal(size=(41, 2))


@pytest.mark.parametrize(
    "kernel",
    [
        kernels.RBF(0.7),
        kernels.RBF((0.5, 1.0, 3.0)),
        kernels.Matern(1.2),
        kernels.Polynomial(2),
        2.5 * kernels.RBF(0.7),
        0.3 * kernels.Linear() + kernels.RBF(2.0) + 2.0 * kernels.Matern(1.0),
    ],
)
def test_rows_and_sums_are_those_of_the_kernel(kernel, monkeypatch):
    monkeypatch.setattr(_columns, "BLOCK", 100)
    side = columns_of(kernel, Z)
    assert_allclose(side.rows(X, 1), kernel(X, Z), rtol=1e-10)
    assert_allclose(side.sums(X, COEF, 1), kernel(X, Z) @ COEF, rtol=1e-9, atol=1e-12)


def test_single_precision_far_from_the_origin():
    kernel = kernels.RBF(0.7)
    far, base = (X + 1000).astype(np.float32), (Z + 1000).astype(np.float32)
    exact = kernel(far.astype(float), base.astype(float))
    assert_allclose(columns_of(kernel, base).rows(far, 1), exact, atol=1e-5)
