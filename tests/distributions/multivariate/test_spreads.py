"""Spreads in whichever form they are given."""

import numpy as np
from numpy.testing import assert_allclose

from margin.distributions.multivariate._diagonal_spread import DiagonalSpread
from margin.distributions.multivariate._spread import Spread
from margin.distributions.multivariate._spread_stack import SpreadStack
from margin.distributions.multivariate._spreads import dense, divergences, member, spread_of


def test_each_form_gives_its_kind():
    mean = np.zeros((4, 2))
    kinds = [
        (spread_of("N", mean, np.eye(2), None, None, None), Spread),
        (spread_of("N", mean, None, np.stack([np.eye(2)] * 4), None, None), SpreadStack),
        (spread_of("N", mean, None, None, None, np.ones(2)), DiagonalSpread),
    ]
    for spread, kind in kinds:
        assert isinstance(spread, kind)
        assert_allclose(np.broadcast_to(spread.covariance, (4, 2, 2))[3], np.eye(2))
        assert_allclose(dense(member(spread, (3,))).covariance, np.eye(2))


def test_divergence_of_mixed_kinds(definite):
    """distributions.21: stacked against diagonal, by the formula with bare inverses."""
    covariances = np.array([definite(2, j) for j in range(3)])
    stack = spread_of("N", np.zeros((3, 2)), covariances, None, None, None)
    flat = DiagonalSpread(np.array([2.0, 0.5]))
    shift = np.random.default_rng(0).normal(size=(3, 2))
    Q = np.diag([2.0, 0.5])
    for j, value in enumerate(divergences(stack, flat, shift)):
        P = covariances[j]
        wanted = np.trace(np.linalg.solve(Q, P)) - 2 + shift[j] @ np.linalg.solve(Q, shift[j])
        wanted += np.log(np.linalg.det(Q) / np.linalg.det(P))
        assert_allclose(value, wanted / 2)
