"""Values of every row under every member."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import Normal
from margin.distributions._rows import by_blocks, sums_over_columns


def test_blocks_do_not_show():
    """Many blocks: the same table as all at once."""
    X = np.random.default_rng(0).normal(size=(30_000, 3))
    members = Normal(np.zeros((4, 3)), [[1.0], [2.0], [3.0], [4.0]])
    whole = members.log_prob(X[:, None]).sum(axis=-1)
    assert_allclose(sums_over_columns("Normal", members.log_prob, (4, 3), X), whole)
    assert_allclose(by_blocks(members.log_prob, X, (4,), summed=1), whole)


def test_shapes():
    x = np.zeros(5)
    assert sums_over_columns("Normal", Normal().log_prob, (), x).shape == (5,)
    assert sums_over_columns("Normal", Normal([0.0, 1.0]).log_prob, (2,), x).shape == (5, 2)
    with pytest.raises(ValueError, match="Normal: X must be rows of shape"):
        sums_over_columns("Normal", Normal([0.0, 1.0]).log_prob, (2,), np.zeros((5, 3)))
