from fractions import Fraction

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import beta

from margin.datasets import load_coin_tosses, load_dice_rolls, make_coin_tosses, make_dice_rolls


def test_coin_by_hand():
    """datasets.20: HHTTTHH, 4/7 and 5/9."""
    coin = load_coin_tosses()
    assert coin.data.tolist() == [1, 1, 0, 0, 0, 1, 1]
    assert coin.answers["maximum likelihood"][1] == Fraction(4, 7)
    assert coin.answers["posterior mean"][1] == Fraction(5, 9)


def test_coin_posterior_by_quadrature():
    """datasets.20: Bayes' rule integrated numerically gives the conjugate posterior."""
    coin = make_coin_tosses(12, probability=0.7, prior=(2.5, 0.5), random_state=0)
    tails, heads = coin.counts

    def weight(theta):
        return theta**heads * (1 - theta) ** tails * beta(0.5, 2.5).pdf(theta)

    evidence, mean = quad(weight, 0, 1)[0], quad(lambda t: t * weight(t), 0, 1)[0]
    assert float(coin.answers["posterior mean"][1]) == pytest.approx(mean / evidence, rel=1e-6)
    assert coin.posterior.tolist() == [tails + 2.5, heads + 0.5]


def test_dice_by_counting():
    """datasets.20: counts, likelihood and posterior of the ten rolls."""
    dice = load_dice_rolls()
    counts = [dice.data.tolist().count(face) for face in range(6)]
    assert dice.counts.tolist() == counts
    assert dice.answers["maximum likelihood"] == [Fraction(n, 10) for n in counts]
    assert dice.answers["posterior mean"] == [Fraction(n + 1, 16) for n in counts]
    assert sum(dice.answers["posterior mean"]) == 1


def test_two_faces_are_a_coin():
    """datasets.20: with two states the Dirichlet answer is the Beta answer."""
    coin = make_coin_tosses(50, probability=0.3, prior=(2, 3), random_state=1)
    dice = make_dice_rolls(50, probabilities=[0.7, 0.3], prior=(2, 3), random_state=1)
    assert dice.answers == coin.answers


def test_frequencies_follow_the_probabilities():
    """datasets.20: a loaded die."""
    loaded = [0.1, 0.1, 0.1, 0.1, 0.1, 0.5]
    dice = make_dice_rolls(40_000, probabilities=loaded, random_state=0)
    assert np.abs(dice.counts / 40_000 - loaded).max() < 5 * 0.5 / np.sqrt(40_000)
    fair = make_dice_rolls(40_000, random_state=0)
    assert np.abs(fair.counts / 40_000 - 1 / 6).max() < 5 * 0.5 / np.sqrt(40_000)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="make_coin_tosses: prior must be 2 positive numbers"):
        make_coin_tosses(prior=(1, 0))
    with pytest.raises(ValueError, match="make_dice_rolls: prior must be 6 positive numbers"):
        make_dice_rolls(prior=(1, 1))
    with pytest.raises(ValueError, match="make_dice_rolls: probabilities must be nonnegative"):
        make_dice_rolls(probabilities=[0.5, 0.6])
