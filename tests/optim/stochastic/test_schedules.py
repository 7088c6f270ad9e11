"""Learning-rate schedules (optim.13)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.optim import (
    Constant,
    DivideOnStall,
    Harmonic,
    InverseTime,
    PowerDecay,
    RootHarmonic,
    StronglyConvex,
)

T = np.array([0, 1, 2, 9, 99, 10**6])

FORMULAS = [
    (Constant(0.3), 0.3 + 0 * T),
    (InverseTime(0.3), 0.3 / (1 + T)),
    (InverseTime(0.3, t0=50.0), 0.3 / (1 + T / 50)),
    (PowerDecay(0.3), 0.3 / (1 + T) ** 0.75),
    (PowerDecay(0.3, power=0.25), 0.3 / (1 + T) ** 0.25),
    (StronglyConvex(0.1), 1 / (0.1 * (T + 1))),
    (Harmonic(), 1 / (T + 1)),
    (RootHarmonic(), 1 / np.sqrt(T + 1)),
    (DivideOnStall(0.3), 0.3 + 0 * T),
]


@pytest.mark.parametrize(("schedule", "wanted"), FORMULAS, ids=lambda v: type(v).__name__)
def test_rates_follow_their_formulas(schedule, wanted):
    """optim.13: all schedules named, for single steps and for arrays of them."""
    assert_allclose(schedule.rate(T), wanted, rtol=1e-14)
    assert_allclose([float(schedule.rate(t)) for t in T], wanted, rtol=1e-14)
    assert schedule.rate(T).dtype == np.float64


@pytest.mark.parametrize("schedule", [s for s, _ in FORMULAS], ids=lambda s: type(s).__name__)
def test_schedules_are_values(schedule):
    assert schedule == type(schedule)(**vars(schedule))
    assert hash(schedule) == hash(type(schedule)(**vars(schedule)))
    with pytest.raises(AttributeError):
        schedule.tau0 = 1.0


def test_only_one_schedule_waits_for_stalls():
    """optim.13: divide by ten when learning stalls."""
    assert DivideOnStall(1.0).stall_factor == pytest.approx(0.1)
    assert DivideOnStall(1.0, divisor=5.0).stall_factor == pytest.approx(0.2)
    assert {s.stall_factor for s, _ in FORMULAS[:-1]} == {1.0}


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Constant(0.0), "Constant: tau0 must be a number above 0, got 0.0"),
        (lambda: InverseTime(1.0, t0=-1.0), "InverseTime: t0 must be a number above 0"),
        (lambda: PowerDecay(1.0, power=-0.5), "PowerDecay: power must be a number of at least 0"),
        (lambda: StronglyConvex(np.nan), "StronglyConvex: curvature must be a number above 0"),
        (lambda: DivideOnStall(0.1, divisor=1.0), "DivideOnStall: divisor must be above 1"),
    ],
)
def test_bad_settings_are_refused(make, text):
    with pytest.raises(ValueError, match=text):
        make()
