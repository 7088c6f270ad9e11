"""Functions of two rows as kernels."""

import numpy as np
from numpy.testing import assert_allclose
from scipy.sparse import csr_array

from margin.decomposition.kernel._pairwise_function import PairwiseFunction


def test_matrix_of_a_function():
    X, Z = np.arange(6.0).reshape(3, 2), np.ones((2, 2))
    function = PairwiseFunction(lambda x, z, power: (x @ z) ** power, {"power": 2})
    assert_allclose(function(X, Z), (X @ Z.T) ** 2)
    assert_allclose(function(csr_array(X), csr_array(Z)), (X @ Z.T) ** 2)
