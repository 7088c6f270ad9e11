import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.native import _native
from margin.native.columns.pairs import rising_pairs


def twin(a, b):
    gaps = (a[None, :] - a[:, None]) * (b[None, :] - b[:, None])
    return float(np.triu(np.where(b[:, None] <= b[None, :], gaps, 0.0), 1).sum())


@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 64, 101])
def test_sums_are_those_of_the_pairs(n):
    rng = np.random.default_rng(n)
    for b in (rng.standard_normal(n), rng.integers(0, 3, n).astype(float), np.zeros(n)):
        a = rng.standard_normal(n)
        assert_allclose(rising_pairs(a, b), twin(a, b), atol=1e-10)


def test_what_is_not_a_number_stays_visible_and_lengths_must_agree():
    assert np.isnan(rising_pairs(np.array([0.0, np.nan]), np.array([0.0, 1.0])))
    with pytest.raises(ValueError, match="different length"):
        _native.rising_pairs(np.zeros(2), np.zeros(3))
