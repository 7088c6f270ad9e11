"""Arithmetic of tables (inference.01, inference.03, inference.16)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.inference import MIN_SUM, Factor, ZeroProbabilityError, dependence

RNG = np.random.default_rng(0)
A = Factor((0, 1), RNG.random((2, 3)))
B = Factor((2, 1), RNG.random((4, 3)))


def test_products_sums_and_maxima_are_those_of_einsum():
    """inference.01: product, sum-out and max-out of tables."""
    product = A * B
    assert product.scope == (0, 1, 2)
    assert_allclose(product.table, np.einsum("ab,cb->abc", A.table, B.table))
    assert_allclose(product.sum_out(1).table, np.einsum("ab,cb->ac", A.table, B.table))
    assert_allclose(product.marginal(2, 0).table, np.einsum("ab,cb->ca", A.table, B.table))
    assert_allclose(product.max_out(0, 2).table, product.table.max(axis=(0, 2)))
    assert_allclose((A * B).marginal(0, 1, 2).table, (B * A).marginal(0, 1, 2).table)


def test_conditioning_slices_and_clamping_keeps_the_scope():
    """inference.16: two ways to enter evidence, one posterior."""
    product = A * B
    sliced, clamped = product.condition({1: 2}), product.clamp({1: 2})
    assert sliced.scope == (0, 2)
    assert clamped.scope == product.scope
    assert_array_equal(clamped.sum_out(1).table, sliced.table)
    unary = Factor((1,), np.eye(3)[2])
    assert_array_equal((product * unary).sum_out(1).table, sliced.table)


def test_bayes_rule_and_the_probability_of_either():
    joint = (A * B).normalise()
    forward = joint.marginal(0, 1).table / joint.marginal(0).table[:, None]
    back = joint.marginal(0, 1).table / joint.marginal(1).table
    assert_allclose(forward * joint.marginal(0).table[:, None], back * joint.marginal(1).table)
    table = joint.table
    wanted = table[1].sum() + table[:, :, 0].sum() - table[1, :, 0].sum()
    assert joint.any_of({0: 1, 2: 0}) == pytest.approx(wanted)


def test_independence_on_a_table():
    """inference.03: a common cause makes dependent what it separates."""
    cause = Factor((0,), np.array([0.3, 0.7]))
    x = Factor((0, 1), np.array([[0.9, 0.1], [0.2, 0.8]]))
    y = Factor((0, 2), np.array([[0.6, 0.4], [0.1, 0.9]]))
    joint = cause * x * y
    assert dependence(joint, 1, 2, [0]) < 1e-15
    assert dependence(joint, 1, 2) > 0.01
    collider = Factor((0, 1), np.full((2, 2), 0.25)) * Factor(
        (0, 1, 2), np.eye(2)[np.array([[0, 1], [1, 0]])]
    )
    assert dependence(collider, 0, 1) < 1e-15
    assert dependence(collider, 0, 1, [2]) > 0.05


def test_nothing_to_normalise_and_wrong_axes():
    with pytest.raises(ZeroProbabilityError, match="positive mass"):
        Factor((0,), np.zeros(2)).normalise()
    with pytest.raises(ValueError, match="one axis per variable"):
        Factor((0, 1), np.zeros(2))


def test_clamping_uses_the_zero_of_the_semiring():
    cost = Factor((0,), np.array([1.0, 2.0]), MIN_SUM)
    assert_array_equal(cost.clamp({0: 1}).table, [np.inf, 2.0])
