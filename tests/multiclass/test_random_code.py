import numpy as np
import pytest

from margin.multiclass import random_code, row_distances
from margin.multiclass._code_matrices import canonical


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("n_classes", [2, 3, 5, 12])
def test_columns_are_different_problems_and_rows_differ(sparse, n_classes):
    """linear.53"""
    code = random_code(n_classes, sparse=sparse, random_state=0)
    assert set(np.unique(code)) <= ({-1, 0, 1} if sparse else {-1, 1})
    assert ((code > 0).any(axis=0) & (code < 0).any(axis=0)).all()
    assert len({canonical(column) for column in code.T}) == code.shape[1]
    assert len(np.unique(code, axis=0)) == n_classes


def test_default_lengths():
    """linear.53: 10 and 15 binary logarithms of the number of classes, or all there are."""
    assert random_code(16, random_state=0).shape == (16, 40)
    assert random_code(16, sparse=True, random_state=0).shape == (16, 60)
    assert random_code(3, random_state=0).shape == (3, 3)


def test_more_trials_are_never_worse_and_seeds_repeat():
    def least(n_trials):
        code = random_code(10, 20, n_trials=n_trials, random_state=3)
        return row_distances(code)[np.triu_indices(10, 1)].min()

    distances = [least(n) for n in (1, 10, 200)]
    assert distances == sorted(distances)
    assert distances[-1] > distances[0]
    one, two = random_code(6, random_state=4), random_code(6, random_state=4)
    np.testing.assert_array_equal(one, two)
    assert (random_code(6, random_state=5) != one).any()


def test_share_of_zeros():
    """linear.53: half of the entries of a sparse code are zero."""
    code = random_code(30, 400, sparse=True, n_trials=1, random_state=0)
    assert abs(np.mean(code == 0) - 0.5) < 0.03
    assert abs(np.mean(code > 0) - 0.25) < 0.03


def test_impossible_lengths_are_refused():
    with pytest.raises(ValueError, match="n_columns must be an integer from 3 to 127, got 2"):
        random_code(8, 2)
    with pytest.raises(ValueError, match="n_columns must be an integer from 2 to 3, got 4"):
        random_code(3, 4)
    with pytest.raises(ValueError, match="n_trials must be an integer of at least 1, got 0"):
        random_code(3, n_trials=0)
    with pytest.raises(ValueError, match="large enough for 32 different rows"):
        random_code(32, 5, n_trials=1, random_state=0)
