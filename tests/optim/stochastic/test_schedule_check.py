"""Conditions on schedules (optim.14)."""

import numpy as np
import pytest

from margin.optim import (
    Constant,
    Harmonic,
    InverseTime,
    PowerDecay,
    RootHarmonic,
    StronglyConvex,
    check_schedule,
)


@pytest.mark.parametrize(
    ("schedule", "perceptron", "robbins_monro"),
    [
        (Constant(1.0), True, False),
        (Harmonic(), True, True),
        (RootHarmonic(), True, False),
        (InverseTime(0.1, 1e5), True, True),
        (StronglyConvex(1e-4), True, True),
        (PowerDecay(1.0, 0.75), True, True),
        (PowerDecay(1.0, 0.25), True, False),
        (PowerDecay(1.0, 1.1), False, False),
        (lambda k: k**-2.0, False, False),
        (lambda k: 2.0**-k, False, False),
        (lambda k: 2.0**k, False, False),
        (lambda k: k**2.0, True, False),
        (lambda k: -1.0 / k, False, False),
        (lambda k: 0.0 * k, False, False),
        (lambda k: 1.0 / (k * np.log(k + 1.0)), True, True),
        (lambda k: np.where(k < 100, -1.0, 1.0 / k), False, False),
    ],
)
def test_verdicts(schedule, perceptron, robbins_monro):
    """optim.14: 2^-k sums to a finite number, 2^k is dominated by its last step: both rejected."""
    verdict = check_schedule(schedule)
    assert verdict.perceptron is perceptron
    assert verdict.robbins_monro is robbins_monro


@pytest.mark.parametrize("power", [0.0, 0.3, 0.5, 0.6, 0.9, 1.0, 1.6, 2.0])
def test_verdicts_agree_with_partial_sums(power):
    """optim.14: the ratio of the squared sums, computed, shrinks exactly when we say so."""
    k = np.arange(1.0, 2e6)
    rate = k**-power
    ratio = np.cumsum(rate**2) / np.cumsum(rate) ** 2
    shrinks = ratio[-1] < 0.9 * ratio[len(k) // 100]
    assert check_schedule(PowerDecay(1.0, power)).no_step_dominates == shrinks


def test_a_function_that_is_not_vectorised_is_refused():
    with pytest.raises(ValueError, match="check_schedule: schedule must be a vectorised function"):
        check_schedule(lambda k: 1.0)
