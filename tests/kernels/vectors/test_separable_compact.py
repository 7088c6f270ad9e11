"""Tensor-product kernels of compact support: the box (kernels.25)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import BSpline, CatmullRom, Triangle


@pytest.mark.parametrize(
    ("kernel", "half"),
    [(Triangle(2.0), 2.0), (CatmullRom(2.0), 4.0), (BSpline(2.0, 3), 4.0), (BSpline(1.0, 0), 0.5)],
    ids=str,
)
def test_zero_outside_the_box(kernel, half):
    inside, outside = np.array([[0.98 * half, 0.0]]), np.array([[1.01 * half, 0.0]])
    origin = np.zeros((1, 2))
    assert kernel(origin, inside) != 0.0
    assert kernel(origin, outside) == 0.0
    assert kernel.sparse(origin, outside).nnz == 0
    assert_allclose(kernel.sparse(origin, inside).toarray(), kernel(origin, inside))
