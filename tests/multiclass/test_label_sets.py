import numpy as np
import pytest
from scipy import sparse

from margin.multiclass._label_sets import is_indicator, label_sets

Y = np.array([[0, 1, 1], [0, 0, 0], [1, 1, 0]])


@pytest.mark.parametrize("make", [np.array, list, sparse.csr_matrix, sparse.coo_array])
def test_sides_of_every_kind_of_matrix(make):
    assert is_indicator(make(Y))
    _, sides = label_sets(make(Y))
    np.testing.assert_array_equal(np.column_stack(sides), 2 * Y - 1)


def test_stored_zeros_are_zeros():
    stored = sparse.csc_array((np.array([1, 0, 1]), ([0, 1, 2], [0, 0, 1])), shape=(3, 2))
    _, sides = label_sets(stored)
    np.testing.assert_array_equal(np.column_stack(sides), [[1, -1], [-1, -1], [-1, 1]])


@pytest.mark.parametrize("y", [[1, 2], ["a", "b"], [[1], [2]], [[1, 2], [3]]])
def test_other_targets_are_no_indicator(y):
    assert not is_indicator(y)


def test_other_matrices_are_refused():
    with pytest.raises(ValueError, match="Multioutput target data is not supported"):
        label_sets([[1, 2], [3, 1]])
