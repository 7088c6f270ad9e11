"""Densities of rows under many normal vectors at once."""

import numpy as np
from numpy.testing import assert_allclose

from margin.distributions import MultivariateNormal


def test_table_equals_members_over_many_blocks(definite):
    """Several blocks, gaps, and rows at infinity: each member answers as it would alone."""
    rng = np.random.default_rng(0)
    covariances = np.array([definite(8, j) for j in range(3)])
    stack = MultivariateNormal(rng.normal(size=(3, 8)), covariances)
    X = rng.normal(size=(40_000, 8))
    X[::1000, 2] = np.nan
    X[5, 1] = np.inf
    table = stack.log_prob_rows(X)
    assert table.shape == (40_000, 3)
    assert (table[5] == -np.inf).all()
    for j in range(3):
        assert_allclose(table[:, j], stack[j].log_prob(X), rtol=1e-9)


def test_no_rows():
    pair = MultivariateNormal(np.zeros((3, 2)), np.eye(2))
    assert pair.log_prob_rows(np.empty((0, 2))).shape == (0, 3)
