"""Weights of rows, for one member or many."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from margin.distributions.statistics._weights import (
    blocks,
    is_shared,
    responsibilities,
    row_weights,
)


def test_blocks_cover_every_row_once():
    for n, width in ((0, 3), (1, 1), (1000, 1 << 14), (10, 1 << 30)):
        rows = [np.arange(n)[part] for part in blocks(n, width)]
        assert_array_equal(np.concatenate([np.arange(0), *rows]), np.arange(n))


def test_shapes_and_signs():
    assert_array_equal(row_weights("Normal", None, 3), np.ones(3))
    assert not is_shared(None)
    assert not is_shared([1.0, 2.0])
    assert is_shared([[1.0, 2.0]])
    with pytest.raises(ValueError, match=r"Normal: weight must be of shape \(2, k\)"):
        responsibilities("Normal", np.ones((3, 2)), 2)
    with pytest.raises(ValueError, match="Normal: weight must be finite and at least 0"):
        responsibilities("Normal", [[np.nan]], 1)
    with pytest.raises(ValueError, match="Normal: weight must be numbers"):
        row_weights("Normal", "heavy", 1)
