"""What starts ask of a table, against plain NumPy."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.sparse import csr_array

from margin.cluster.seeding._candidates import TableCandidates

RNG = np.random.default_rng(0)
X = np.where(RNG.random((30, 3)) < 0.5, 0.0, RNG.normal(size=(30, 3)))


@pytest.mark.parametrize("make", [np.asarray, csr_array, lambda a: a.astype(np.float32)])
def test_brute_force(make):
    table = TableCandidates(make(X), 1)
    rtol = 1e-5 if getattr(make(X), "dtype", None) == np.float32 else 1e-9
    least = RNG.uniform(0, 3, 30)
    for row, option in zip((4, 7), table.nearer(least, [4, 7]), strict=True):
        truth = np.minimum(least, ((X - X[row]) ** 2).sum(axis=1))
        assert_allclose(option, truth, rtol=rtol, atol=rtol)
    label, weight = RNG.integers(4, size=30), RNG.random(30)
    truth = np.array([weight[label == k] @ X[label == k] for k in range(4)])
    assert_allclose(table.sums(label, weight, 4), truth, rtol=rtol, atol=rtol)
    assert table.rows([2, 0]).dtype == np.float64
