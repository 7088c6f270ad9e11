import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from margin.core import FitError
from margin.linalg import schur_complement


@given(n=st.integers(1, 10), seed=st.integers(0, 10_000), data=st.data())
@settings(deadline=None, max_examples=60)
def test_complement_inverts_a_block_of_the_inverse(definite, n, seed, data):
    """linalg.12: S^-1 is the block of A^-1; blocks assemble the whole inverse; dets multiply."""
    A = definite(n, seed)
    rows = data.draw(st.permutations(range(n)))[: data.draw(st.integers(0, n))]
    block = schur_complement(A, rows)
    inverse = np.linalg.inv(A)
    r, e = block.remaining, block.eliminated
    assert sorted([*r, *e]) == list(range(n))
    assert_allclose(np.linalg.inv(block.complement), inverse[np.ix_(r, r)], rtol=1e-6, atol=1e-8)
    assert_allclose(block.gain @ A[np.ix_(e, e)], A[np.ix_(r, e)], rtol=1e-6, atol=1e-8)
    assert_allclose(block.inverse(), inverse, rtol=1e-6, atol=1e-8)
    whole = block.factor.log_det + np.linalg.slogdet(block.complement)[1]
    assert_allclose(whole, np.linalg.slogdet(A)[1], atol=1e-8)
    assert np.array_equal(block.complement, block.complement.T)


def test_mask_negative_indices_and_order_of_the_block(definite):
    A = definite(4, 0)
    by_mask = schur_complement(A, [False, True, False, True])
    by_index = schur_complement(A, [1, -1])
    assert_allclose(by_mask.complement, by_index.complement)
    turned = schur_complement(A, [3, 1])
    assert turned.eliminated.tolist() == [3, 1]
    assert_allclose(turned.gain, by_index.gain[:, ::-1])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([0, 0], "name each row once"),
        ([0, -3], "name each row once"),
        ([3], "rows below 3"),
        ([0.5], "indices or a mask"),
        ([True, False], "indices or a mask"),
    ],
)
def test_bad_blocks_are_refused(rows, message):
    with pytest.raises(ValueError, match=message):
        schur_complement(np.eye(3), rows)


def test_indefinite_block_is_named():
    with pytest.raises(FitError, match="eliminated block of the covariance must be positive"):
        schur_complement(np.diag([1.0, -1.0]), [1], name="covariance")


def test_repr():
    assert repr(schur_complement(np.eye(3), [0])) == "SchurComplement(remaining=2, eliminated=1)"
