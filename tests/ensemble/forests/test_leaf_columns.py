import numpy as np
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn.preprocessing import OneHotEncoder

from margin.ensemble.forests._leaf_columns import LeafColumns


@pytest.fixture
def leaves():
    """Leaves of three trees of five nodes, some of them never reached."""
    rng = np.random.default_rng(0)
    table = rng.integers(0, 5, (40, 3)).astype(np.int32)
    table[table == [1, 3, 4]] = 2
    return table


OFFSETS = np.array([0, 5, 10, 15])


@pytest.mark.parametrize("sparse_output", [True, False])
def test_codes_are_those_of_scikit_learn(sparse_output, leaves):
    columns = LeafColumns.of(leaves, OFFSETS, sparse_output)
    theirs = OneHotEncoder(sparse_output=sparse_output).fit(leaves)
    ours = columns.codes(leaves)
    expected = theirs.transform(leaves)
    assert type(ours) is type(expected)
    assert ours.dtype == expected.dtype
    assert ours.shape == expected.shape == (40, columns.count)
    for codes in (ours, expected):
        if sparse.issparse(codes):
            assert codes.indices.dtype == codes.indptr.dtype == np.int32
    dense = [codes.toarray() if sparse.issparse(codes) else codes for codes in (ours, expected)]
    np.testing.assert_array_equal(*dense)


def test_the_encoder_knows_the_same_leaves(leaves):
    columns = LeafColumns.of(leaves, OFFSETS)
    encoder = columns.encoder()
    known = OneHotEncoder(sparse_output=False).fit(leaves).categories_
    for ours, theirs, numbers in zip(encoder.categories_, known, columns.leaves, strict=True):
        np.testing.assert_array_equal(ours, theirs)
        np.testing.assert_array_equal(numbers, theirs)
        assert ours.dtype == theirs.dtype


@pytest.mark.parametrize("leaf", [1, 0])
def test_a_leaf_without_a_column_is_refused(leaf):
    columns = LeafColumns.of(np.array([[2], [3]], dtype=np.int32), np.array([0, 5]))
    with pytest.raises(ValueError, match="unknown categories"):
        columns.codes(np.array([[2], [leaf]], dtype=np.int32))


def test_no_rows(leaves):
    columns = LeafColumns.of(leaves, OFFSETS)
    assert columns.codes(leaves[:0]).shape == (0, columns.count)


def test_the_kind_of_sparse_table_is_that_of_scikit_learn(leaves):
    columns = LeafColumns.of(leaves, OFFSETS)
    with config_context(sparse_interface="sparray"):
        ours = columns.codes(leaves)
        theirs = OneHotEncoder().fit_transform(leaves)
    assert type(ours) is type(theirs) is sparse.csr_array


def test_frames_are_left_to_the_encoder(leaves):
    dense = LeafColumns.of(leaves, OFFSETS, sparse_output=False)
    with config_context(transform_output="pandas"):
        frame = dense.codes(leaves)
        with pytest.raises(ValueError, match="sparse"):
            LeafColumns.of(leaves, OFFSETS).codes(leaves)
    np.testing.assert_array_equal(frame.to_numpy(), dense.codes(leaves))
