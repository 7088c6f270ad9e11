"""Gradients of the bound within normal families."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference.approximate._normal_family import NormalFamily


@pytest.mark.parametrize("factorised", [True, False])
def test_both_gradients_agree_with_the_closed_form(factorised):
    """For a quadratic log density the bound is known: its differences are the oracle."""
    A = np.array([[2.0, 0.5], [0.5, 1.0]])
    family = NormalFamily(2, factorised)
    free = np.random.default_rng(0).normal(size=family.n_free) * 0.3

    def bound(at):
        mean, root = family.split(at)
        return -0.5 * (mean @ A @ mean + np.trace(A @ root @ root.T)) + family.entropy(at)

    steps = 1e-6 * np.eye(family.n_free)
    expected = [(bound(free + h) - bound(free - h)) / 2e-6 for h in steps]
    draws = family.draw(free, 400_000, np.random.default_rng(1))
    value = -0.5 * np.einsum("ni,ij,nj->n", draws.points, A, draws.points)
    value = value - family.log_density(free, draws)
    assert_allclose(family.reparametrised(free, draws, -draws.points @ A), expected, atol=0.02)
    assert_allclose(family.score_function(free, draws, value), expected, atol=0.04)


def test_the_log_density_belongs_to_the_draws():
    family = NormalFamily(2, False)
    free = np.array([1.0, -1.0, 0.2, -0.3, 0.7])
    draws = family.draw(free, 6, np.random.default_rng(0))
    mean, root = family.split(free)
    z = draws.points - mean
    precision = np.linalg.inv(root @ root.T)
    expected = -0.5 * np.einsum("ni,ij,nj->n", z, precision, z)
    expected -= 0.5 * np.linalg.slogdet(2 * np.pi * root @ root.T)[1]
    assert_allclose(family.log_density(free, draws), expected)
    assert_allclose(draws.points.mean(axis=0), mean, atol=1e-12)
