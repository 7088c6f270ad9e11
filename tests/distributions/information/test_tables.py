"""Entropy and mutual information of tables (distributions.20, distributions.22)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import conditional_entropy, joint_entropy, mutual_information_of


def test_worked_numbers():
    """distributions.20, distributions.22: I = 0.1927448 nats for [[.4,.1],[.1,.4]]."""
    table = np.array([[0.4, 0.1], [0.1, 0.4]])
    assert_allclose(mutual_information_of(table), 0.1927448, rtol=1e-6)
    assert_allclose(joint_entropy(table, [0]), np.log(2.0))
    split = joint_entropy(table, [0]) + joint_entropy(table, [1]) - joint_entropy(table)
    assert_allclose(mutual_information_of(table), split)
    assert joint_entropy([1.0, 0.0]) == 0.0


def test_chain_rules_on_random_tables():
    """distributions.22: I(X; Y, Z) = I(X; Z) + I(X; Y | Z), by loops over the cells."""
    p = np.random.default_rng(0).dirichlet(np.ones(24)).reshape(2, 3, 4)
    both = mutual_information_of(p, [0], [1, 2])
    assert_allclose(both, mutual_information_of(p, [0], [2]) + mutual_information_of(p, given=[2]))
    assert_allclose(conditional_entropy(p, [1, 2]), joint_entropy(p) - joint_entropy(p, [1, 2]))
    total = 0.0
    for x in range(2):
        for y in range(3):
            for z in range(4):
                ratio = p[x, y, z] * p[:, :, z].sum() / (p[x, :, z].sum() * p[:, y, z].sum())
                total += p[x, y, z] * np.log(ratio)
    assert_allclose(mutual_information_of(p, [0], [1], [2]), total)


def test_independent_and_certain():
    """distributions.22: nothing between independent variables, everything between equal ones."""
    assert_allclose(mutual_information_of(np.outer([0.2, 0.8], [0.5, 0.5])), 0.0, atol=1e-15)
    assert_allclose(mutual_information_of(np.diag([3.0, 1.0])), joint_entropy([3.0, 1.0]))
    with pytest.raises(ValueError, match="x, y and given must be distinct axes"):
        mutual_information_of(np.ones((2, 2)), [0], [0])
    with pytest.raises(ValueError, match="joint_entropy: table must be finite"):
        joint_entropy([-1.0, 2.0])
