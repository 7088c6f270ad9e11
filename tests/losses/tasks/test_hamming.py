"""Hamming loss of label sequences (losses.15)."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.losses import CostMatrix, Hamming, WholeSequence

SEQUENCES = [np.array(s) for s in product(range(3), repeat=3)]


@pytest.mark.parametrize(
    "loss", [Hamming(), Hamming(mean=True), WholeSequence()], ids=["sum", "mean", "whole"]
)
def test_is_a_metric(loss):
    """losses.15: non-negative, zero only for equality, symmetric, triangle; by enumeration."""
    D = np.array([[loss(a, b) for b in SEQUENCES] for a in SEQUENCES])
    assert D.min() == 0
    assert ((D == 0) == np.eye(len(D), dtype=bool)).all()
    assert_allclose(D, D.T)
    assert (D[:, :, None] <= D[:, None, :] + D.T[None, :, :] + 1e-12).all()


PRICE = CostMatrix([[0, 1, 5], [2, 0, 1], [1, 1, 0]])


@pytest.mark.parametrize("loss", [Hamming(), Hamming(mean=True), Hamming(price=PRICE)])
def test_decomposes_over_positions(loss):
    """losses.15: sums of the position costs are the loss, for every pair."""
    for y in SEQUENCES[::5]:
        costs = loss.costs(y, 3)
        for other in SEQUENCES:
            assert_allclose(costs[np.arange(3), other].sum(), loss(y, other))


def test_prices_of_confusions():
    assert Hamming(price=PRICE)([0, 1], [2, 0]) == 7.0


def test_loss_augmented_argmax_by_enumeration():
    """losses.15: adding the costs to the scores of the parts finds the most violating answer."""
    scores = np.random.default_rng(0).normal(size=(3, 3))
    y = np.array([0, 2, 1])
    best = max(SEQUENCES, key=lambda o: scores[np.arange(3), o].sum() + Hamming()(y, o))
    assert (best == (scores + Hamming().costs(y, 3)).argmax(axis=1)).all()


def test_different_lengths_are_refused():
    with pytest.raises(ValueError, match="Hamming: other must be of shape"):
        Hamming()("abc", "ab")
    assert WholeSequence()("abc", "ab") == 1.0
