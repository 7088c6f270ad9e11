"""Sums over all pairs of rows, against the matrices of distances."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist

from margin.native import _native
from margin.native.dependence.blocks import block_product, block_sums


# Around the sizes of panels (8), of chunks (64) and of all parts of the sums (2048).
@pytest.mark.parametrize("n", [0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 200, 2051])
@pytest.mark.parametrize(("p", "q"), [(5, 5), (1, 3), (0, 2), (40, 1)])
def test_sums_are_those_of_the_matrices(n, p, q):
    rng = np.random.default_rng(n)
    x, y = rng.standard_normal((n, p)), np.round(rng.standard_normal((n, q)), 1)
    A, B = (cdist(rows, rows) if rows.size else np.zeros((n, n)) for rows in (x, y))
    answers = [block_sums(x, y, n_threads) for n_threads in (1, 3)]
    for product, x_sums, y_sums in answers:
        assert_allclose(product, np.vdot(A, B), rtol=1e-12)
        assert_allclose(x_sums, A.sum(axis=1), rtol=1e-12)
        assert_allclose(y_sums, B.sum(axis=1), rtol=1e-12)
    for one, three in zip(*answers, strict=True):
        assert np.array_equal(one, three)
    assert block_product(x, y, 2) == answers[0][0]


def test_tiles_of_wide_tables():
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((300, 700)), rng.standard_normal((300, 650))
    product, x_sums, _ = block_sums(x, y)
    A = cdist(x, x)
    assert_allclose(product, np.vdot(A, cdist(y, y)), rtol=1e-12)
    assert_allclose(x_sums, A.sum(axis=1), rtol=1e-12)


def test_equal_rows_are_at_no_distance():
    x = np.full((30, 3), 1e6 / 3)
    product, x_sums, _ = block_sums(x, np.arange(60.0).reshape(30, 2))
    assert product == 0.0
    assert (x_sums == 0.0).all()


def test_what_is_not_a_number_stays_visible_and_lengths_must_agree():
    x = np.ones((12, 2))
    x[3, 1] = np.nan
    product, x_sums, y_sums = block_sums(x, np.ones((12, 2)))
    assert np.isnan(product)
    assert np.isnan(x_sums).all()
    assert (y_sums == 0.0).all()
    x[3, 1] = np.inf
    assert np.isinf(block_sums(x, x)[1][0])
    with pytest.raises(ValueError, match="different length"):
        block_product(np.ones((3, 1)), np.ones((2, 1)))
    with pytest.raises(ValueError, match="different length"):
        _native.distance_blocks(np.ones((3, 1)), np.ones((3, 1)), np.empty(3), None, 1)
