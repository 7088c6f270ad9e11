"""Learning-rate schedules (optim.13)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin import optim


@pytest.mark.parametrize(
    ("schedule", "wanted"),
    [
        (optim.Constant(0.3), [0.3, 0.3, 0.3]),
        (optim.InverseTime(2.0), [2.0, 1.0, 0.125]),
        (optim.InverseTime(2.0, t0=5.0), [2.0, 2.0 / 1.2, 0.5]),
        (optim.PowerDecay(4.0), [4.0, 4.0 / 2**0.75, 0.5]),
        (optim.PowerDecay(1.0, power=0.5), [1.0, 0.5**0.5, 0.25]),
        (optim.StronglyConvex(0.25), [4.0, 2.0, 0.25]),
        (optim.Harmonic(), [1.0, 0.5, 0.0625]),
        (optim.RootHarmonic(), [1.0, 0.5**0.5, 0.25]),
        (optim.DivideOnStall(0.1), [0.1, 0.1, 0.1]),
    ],
)
def test_golden_rates(schedule, wanted):
    """optim.13: the first, second and sixteenth step by hand, at once and one at a time."""
    t = [0, 1, 15]
    assert_allclose(schedule.rate(t), wanted, rtol=1e-15)
    assert_allclose([float(schedule.rate(s)) for s in t], wanted, rtol=1e-15)


def test_inverse_time_halves_at_t0():
    """optim.13: half the first rate at t0, and t0 tau0 / t in the long run."""
    schedule = optim.InverseTime(0.8, t0=50.0)
    assert_allclose(schedule.rate(50), 0.4, rtol=1e-15)
    assert_allclose(1e9 * schedule.rate(1e9), 0.8 * 50.0, rtol=1e-6)


def test_only_dividing_schedules_answer_a_stall():
    """optim.13: a stall divides the rate by ten, and leaves other schedules alone."""
    assert_allclose(optim.DivideOnStall(1.0).stall_factor, 0.1)
    assert_allclose(optim.DivideOnStall(1.0, divisor=4.0).stall_factor, 0.25)
    assert optim.Harmonic().stall_factor == 1.0
    assert optim.Constant().stall_factor == 1.0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: optim.Constant(0.0), "Constant: tau0"),
        (lambda: optim.InverseTime(1.0, t0=-1.0), "InverseTime: t0"),
        (lambda: optim.PowerDecay(1.0, power=-0.5), "PowerDecay: power"),
        (lambda: optim.StronglyConvex(0.0), "StronglyConvex: curvature"),
        (lambda: optim.DivideOnStall(0.1, divisor=1.0), "DivideOnStall: divisor must be above 1"),
    ],
)
def test_rates_that_are_no_rates_are_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_schedules_are_values():
    assert optim.PowerDecay(0.5) == optim.PowerDecay(0.5, 0.75)
    assert len({optim.Harmonic(), optim.Harmonic()}) == 1
    with pytest.raises(AttributeError):
        optim.Constant(0.1).tau0 = np.inf
