"""Sums of squares of products of features, against the matrices."""

import numpy as np
import pytest

from margin.native.dependence.products import pair_squares


# Around the sizes of blocks (512) and of all parts of the sums (8192).
@pytest.mark.parametrize("n", [0, 1, 2, 9, 511, 512, 513, 1700])
@pytest.mark.parametrize(("p", "q"), [(1, 1), (2, 3), (10, 10), (0, 4), (7, 1)])
def test_squares_of_the_matrices(n, p, q):
    rng = np.random.default_rng(n)
    A, B = rng.standard_normal((p, n)), rng.standard_normal((q, n))
    exact = np.square((A.T @ A) * (B.T @ B)).sum()
    one, three = (pair_squares(A, B, n_threads) for n_threads in (1, 3))
    assert one == three
    assert one == pytest.approx(exact, rel=1e-12)


def test_more_blocks_than_parts():
    rng = np.random.default_rng(0)
    A, B = rng.standard_normal((2, 9000)), rng.standard_normal((3, 9000))
    products = np.einsum("is,js,ks,ls->ijkl", A, A, B, B, optimize=True)
    assert pair_squares(A, B, 2) == pytest.approx(np.square(products).sum(), rel=1e-12)


def test_what_is_not_a_number_stays_visible_and_lengths_must_agree():
    A = np.ones((2, 5))
    A[1, 2] = np.nan
    assert np.isnan(pair_squares(A, np.ones((1, 5))))
    with pytest.raises(ValueError, match="tables of different length"):
        pair_squares(A, np.ones((1, 4)))
