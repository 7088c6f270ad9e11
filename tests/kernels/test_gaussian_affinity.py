"""Similarities against their formula, whatever the table."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array

from margin.kernels import gaussian_affinity

X = np.random.default_rng(0).normal(size=(30, 4))


@pytest.mark.parametrize("gamma", [0.0, 0.3, 2.0])
@pytest.mark.parametrize("make", [np.asarray, csr_array, np.float32])
def test_formula(gamma, make):
    rows = make(X)
    K = gaussian_affinity(rows, gamma)
    squares = ((X[:, None] - X) ** 2).sum(axis=2)
    rounding = 1e-4 if make is np.float32 else 1e-9
    assert_allclose(K, np.exp(-gamma * squares), rtol=rounding, atol=rounding * 1e-20)
    assert K.dtype == (np.float32 if make is np.float32 else np.float64)
