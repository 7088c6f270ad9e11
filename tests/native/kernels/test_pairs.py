"""Arrays that loops over pairs fill."""

import pytest

from margin.native.kernels.pairs import ALL, DIAGONAL, LOWER, empty_pairs


@pytest.mark.parametrize(("pairs", "shape"), [(ALL, (3, 2)), (LOWER, (3, 2)), (DIAGONAL, (3, 1))])
def test_shapes(pairs, shape):
    values, slopes = empty_pairs(3, 2, pairs, True)
    assert values.shape == slopes.shape == shape
    assert empty_pairs(3, 2, pairs, False)[1] is None
