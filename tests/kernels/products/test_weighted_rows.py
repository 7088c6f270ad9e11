"""Weighted sums of prepared kernels."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin import kernels
from margin.kernels.products._gaussian_rows import GaussianRows
from margin.kernels.products._weighted_rows import WeightedRows

RNG = np.random.default_rng(0)
X, Z = RNG.normal(size=(30, 3)), RNG.normal(size=(41, 3))
COEF = RNG.normal(size=(41, 2))


@pytest.mark.parametrize(
    "kernel",
    [
        2.5 * kernels.RBF(0.7),
        0.3 * kernels.Linear() + kernels.RBF(2.0) + 2.0 * kernels.Matern(1.0),
        (0.5 * kernels.RBF(0.7) + kernels.White(0.1)).fix(),
    ],
    ids=str,
)
def test_rows_and_sums_are_those_of_the_kernel(kernel):
    prepared = kernel.prepare(Z)
    assert isinstance(prepared, WeightedRows)
    assert isinstance(prepared.parts[0], GaussianRows) or len(prepared.parts) == 3
    assert_allclose(prepared.rows(X), kernel(X, Z), rtol=1e-10)
    assert_allclose(prepared.sums(X, COEF), kernel(X, Z) @ COEF, rtol=1e-9, atol=1e-12)
