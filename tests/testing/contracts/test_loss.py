from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from margin.losses import Loss, Squared
from margin.testing import LossContract


@dataclass(frozen=True)
class Hinge(Loss):
    form: ClassVar[str] = "margin"
    differentiable: ClassVar[bool] = False
    bounds_zero_one: ClassVar[bool] = True

    def value(self, z, y):
        return np.maximum(0.0, 1.0 - y * z)

    def slope(self, z, y):
        return np.where(y * z < 1, -y, 0.0)

    def curvature(self, z, y):
        return np.zeros_like(z)


@dataclass(frozen=True)
class Huber(Loss):
    delta: float = 1.0
    form: ClassVar[str] = "residual"
    smoothness: ClassVar[float] = 1.0

    def value(self, z, y):
        r = np.abs(z - y)
        return np.where(r <= self.delta, 0.5 * r**2, self.delta * (r - 0.5 * self.delta))

    def slope(self, z, y):
        return np.clip(z - y, -self.delta, self.delta)

    def curvature(self, z, y):
        return (np.abs(z - y) <= self.delta).astype(float)


class TestHinge(LossContract):
    """A kink, labels -1 and +1, a bound of the 0-1 loss."""

    labels = (-1.0, 1.0)

    def make(self):
        return [Hinge()]


class TestHuber(LossContract):
    """A parameter, and a curvature that jumps."""

    def make(self):
        return [Huber(0.5), Huber(2.0)]


def broken(**members):
    return dataclass(frozen=True)(type("Broken", (Squared,), members))()


def squared_value(self, z, y):
    return 0.5 * (z - y) ** 2


FAULTS = {
    "test_nonnegative": {"value": lambda self, z, y: squared_value(self, z, y) - 1.0},
    "test_slope_is_the_derivative": {"slope": lambda self, z, y: 2.0 * (z - y)},
    "test_curvature_is_the_second_derivative": {
        "curvature": lambda self, z, y: 2 * np.ones_like(z)
    },
    "test_convex_along_chords": {"value": lambda self, z, y: np.sqrt(np.abs(z - y))},
    "test_subgradient_inequality": {"slope": lambda self, z, y: 1.5 * (z - y)},
    "test_smoothness_bounds_the_change_of_slope": {"smoothness": 0.5},
    "test_vectorised_is_scalar": {"value": lambda self, z, y: 0.5 * (z - y.mean()) ** 2},
    "test_sweep_is_the_weighted_sum": {
        "sweep": lambda self, z, y, w, curvature=False, n_threads=1: (0.0, z - y, None)
    },
    "test_shapes_and_input_left_alone": {"value": lambda self, z, y: np.float64(1.0)},
    "test_extreme_scores_stay_finite": {"value": lambda self, z, y: np.exp(z - y)},
}


@pytest.mark.parametrize("test", FAULTS)
def test_a_fault_is_found_by_its_test(test):
    class Faulty(LossContract):
        def make(self):
            return [broken(**FAULTS[test])]

    with pytest.raises((AssertionError, FloatingPointError)):
        getattr(Faulty(), test)()


def test_a_smoothness_that_is_too_large_is_found():
    class Loose(LossContract):
        def make(self):
            return [broken(smoothness=2.0)]

    with pytest.raises(AssertionError, match="too large"):
        Loose().test_smoothness_bounds_the_change_of_slope()


def test_a_hidden_kink_is_found():
    class Kinked(TestHinge):
        def make(self):
            made = type("Kinked", (Hinge,), {"differentiable": True})
            return [dataclass(frozen=True)(made)()]

        def scores(self, loss, rng, n):
            return np.where(np.arange(n) % 9, super().scores(loss, rng, n), 1.0)

    with pytest.raises(AssertionError, match="has a kink"):
        Kinked().test_slope_is_the_derivative()


def test_a_false_bound_is_found():
    class Lower(TestHinge):
        def make(self):
            made = type("Lower", (Hinge,), {"value": lambda self, z, y: np.maximum(0.0, -y * z)})
            return [dataclass(frozen=True)(made)()]

    with pytest.raises(AssertionError, match="below the 0-1 loss"):
        Lower().test_bounds_zero_one()


def test_make_must_be_given():
    with pytest.raises(TypeError, match=r"abstract method.* '?make"):
        LossContract()
