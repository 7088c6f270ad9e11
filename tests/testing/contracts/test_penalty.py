from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from margin.penalties import L1, Penalty
from margin.testing import PenaltyContract


@dataclass(frozen=True)
class GroupNorm(Penalty):
    """Euclidean norm: convex, with one kink, and not separable."""

    alpha: float = 1.0
    smooth: ClassVar[bool] = False
    separable: ClassVar[bool] = False

    def value(self, w):
        return self.alpha * float(np.linalg.norm(w))

    def gradient(self, w):
        norm = np.linalg.norm(w)
        return np.zeros_like(w) if norm == 0 else self.alpha * w / norm

    def curvature(self, w):
        norm = np.linalg.norm(w)
        return np.zeros_like(w) if norm == 0 else self.alpha * (1 / norm - w**2 / norm**3)

    def prox(self, w, step):
        norm = np.linalg.norm(w)
        return np.zeros_like(w) if norm == 0 else w * max(0.0, 1 - self.alpha * step / norm)


class TestGroupNorm(PenaltyContract):
    def make(self):
        return [GroupNorm(0.5), GroupNorm(2.0)]


@dataclass(frozen=True)
class Capped(Penalty):
    """Smaller of the absolute value and one: not convex, still a minimiser of its prox problem."""

    convex: ClassVar[bool] = False
    smooth: ClassVar[bool] = False

    def value(self, w):
        return float(np.minimum(np.abs(w), 1.0).sum())

    def gradient(self, w):
        return np.where(np.abs(w) < 1, np.sign(w), 0.0)

    def curvature(self, w):
        return np.zeros_like(w)

    def prox(self, w, step):
        small = np.sign(w) * np.maximum(np.abs(w) - step, 0.0)
        small = np.clip(small, -1, 1)
        cost = lambda u: np.minimum(np.abs(u), 1.0) + (u - w) ** 2 / (2 * step)  # noqa: E731
        return np.where(cost(small) < cost(w), small, w)


class TestCapped(PenaltyContract):
    def make(self):
        return [Capped()]


def broken(**members):
    return dataclass(frozen=True)(type("Broken", (L1,), members))(1.0)


def shift(self, w, step):
    w -= step
    return w


FAULTS = {
    "test_nonnegative": {"value": lambda self, w: float(np.abs(w).sum()) + 1.0},
    "test_gradient_is_the_derivative": {"gradient": lambda self, w: 2 * np.sign(w)},
    "test_gradient_is_the_subgradient_of_least_norm": {
        "gradient": lambda self, w: np.where(w >= 0, 1.0, -1.0)
    },
    "test_curvature_is_the_second_derivative": {"curvature": lambda self, w: np.ones_like(w)},
    "test_separable_is_a_sum_over_coordinates": {
        "value": lambda self, w: float(np.abs(w).sum()) ** 2
    },
    "test_convex_along_chords": {"value": lambda self, w: float(np.sqrt(np.abs(w)).sum())},
    "test_subgradient_inequality": {"gradient": lambda self, w: 2 * np.sign(w)},
    "test_prox_is_the_minimiser": {
        "prox": lambda self, w, step: np.sign(w) * np.maximum(np.abs(w) - 2 * step, 0.0)
    },
    "test_prox_is_firmly_nonexpansive": {
        "prox": lambda self, w, step: np.where(np.abs(w) > step, w, 0.0)
    },
    "test_prox_of_a_vanishing_step_is_the_identity": {"prox": lambda self, w, step: 0.5 * w},
    "test_shapes_and_input_left_alone": {"prox": shift},
}


@pytest.mark.parametrize("test", FAULTS)
def test_a_fault_is_found_by_its_test(test):
    class Faulty(PenaltyContract):
        def make(self):
            return [broken(**FAULTS[test])]

    with pytest.raises(AssertionError):
        getattr(Faulty(), test)()


def test_a_hidden_kink_is_found():
    class Kinked(PenaltyContract):
        def make(self):
            return [broken(smooth=True)]

    with pytest.raises(AssertionError, match="has a kink"):
        Kinked().test_gradient_is_the_derivative()


def test_make_must_be_given():
    with pytest.raises(TypeError, match=r"abstract method.* '?make"):
        PenaltyContract()
