"""Any kernel against a fixed set of objects."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from margin import kernels
from margin.kernels._prepared import Blockwise

RNG = np.random.default_rng(0)
X, Z = RNG.normal(size=(30, 3)), RNG.normal(size=(41, 3))
COEF = RNG.normal(size=(41, 2))


@pytest.mark.parametrize(
    "kernel", [kernels.Matern(1.2), kernels.Polynomial(2), kernels.RBF(0.7) * kernels.Linear()]
)
def test_rows_and_sums_are_those_of_the_kernel(kernel):
    prepared = kernel.prepare(Z)
    assert isinstance(prepared, Blockwise)
    assert_allclose(prepared.rows(X), kernel(X, Z), rtol=1e-12)
    sums = prepared.sums(X, COEF, n_bytes=8 * 41 * 7)
    assert_allclose(sums, kernel(X, Z) @ COEF, rtol=1e-9, atol=1e-12)


def test_sparse_tables_and_lists():
    kernel = kernels.RBF(0.7)
    thin = kernel.prepare(sparse.csr_array(Z))
    assert_allclose(thin.sums(sparse.csr_array(X), COEF), kernel(X, Z) @ COEF, rtol=1e-9)
    words = kernels.Spectrum(2)
    sums = words.prepare(["ab", "bab"]).sums(["abab", "b"], np.array([[1.0], [2.0]]))
    assert_allclose(sums, words(["abab", "b"], ["ab", "bab"]) @ [[1.0], [2.0]])
