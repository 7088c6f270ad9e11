import numpy as np
import pytest
from scipy.optimize import nnls

from margin.decomposition.sources._nonnegative_rows import nonnegative_rows

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("k", [1, 3, 8])
def test_against_an_active_set(k):
    H = RNG.normal(size=(k, 12))
    X = RNG.normal(size=(30, 12))
    found = nonnegative_rows(H @ H.T, X @ H.T)
    for w, x in zip(found, X, strict=True):
        np.testing.assert_allclose(w, nnls(H.T, x)[0], atol=1e-9)


def test_equal_parts_and_no_parts():
    H = np.array([[1.0, 2.0], [1.0, 2.0]])
    found = nonnegative_rows(H @ H.T, np.array([[1.0, 2.0]]) @ H.T)
    np.testing.assert_allclose(found @ H, [[1.0, 2.0]], atol=1e-6)
    assert not nonnegative_rows(np.zeros((2, 2)), np.ones((3, 2))).any()
