"""Which convergence theorems a schedule satisfies (optim.14)."""

import numpy as np
import pytest

from margin import optim
from margin.optim import check_schedule


@pytest.mark.parametrize("growth", [-1.0, 1.0])
def test_powers_of_two_are_rejected(growth):
    """optim.14: 2^-k adds up to 1, and the last 2^k outweighs all the others."""
    verdict = check_schedule(lambda k: 2.0 ** (growth * k))
    assert not verdict.perceptron
    assert not verdict.robbins_monro
    assert verdict.nonnegative
    assert verdict.sum_diverges is (growth > 0)
    assert verdict.squares_converge is (growth < 0)


@pytest.mark.parametrize("schedule", [optim.Harmonic(), lambda k: 1.0 / k, lambda k: 3.0 / (k + 9)])
def test_harmonic_steps_are_accepted(schedule):
    """optim.14: 1/k satisfies both theorems."""
    verdict = check_schedule(schedule)
    assert verdict.perceptron
    assert verdict.robbins_monro


@pytest.mark.parametrize(
    ("power", "perceptron", "robbins_monro"),
    [(0.0, 1, 0), (0.5, 1, 0), (0.55, 1, 1), (0.75, 1, 1), (1.0, 1, 1), (1.5, 0, 0)],
)
def test_powers_of_time(power, perceptron, robbins_monro):
    """optim.14: sum k^-p diverges up to p = 1, the sum of squares converges from p > 1/2 on."""
    verdict = check_schedule(optim.PowerDecay(0.3, power))
    assert verdict.perceptron is bool(perceptron)
    assert verdict.robbins_monro is bool(robbins_monro)


def test_growing_steps_suit_the_perceptron_only():
    """optim.14: with eta = k, the squares add up to n^3/3 against (n^2/2)^2."""
    verdict = check_schedule(lambda k: k)
    assert verdict.perceptron
    assert not verdict.robbins_monro


def test_negative_steps_and_other_functions():
    """optim.14: one early negative step spoils both; a scalar answer is no schedule."""
    verdict = check_schedule(lambda k: np.where(k == 7, -1.0, 1.0 / k))
    assert not verdict.nonnegative
    assert not verdict.perceptron
    assert not verdict.robbins_monro
    with pytest.raises(ValueError, match="check_schedule: schedule must be a vectorised function"):
        check_schedule(lambda k: 0.1)
