"""The penalty interface."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.penalties import L1, L2, Penalty, Zero


@dataclass(frozen=True)
class Pull(Penalty):
    """A smooth penalty that relies on what the base class gives."""

    smooth = True

    def value(self, w):
        return float(np.sum(w**4))

    def gradient(self, w):
        return 4 * w**3

    def curvature(self, w):
        return 12 * w**2

    def prox(self, w, step):
        return w


def test_a_penalty_must_give_value_gradient_curvature_and_prox():
    with pytest.raises(TypeError, match="abstract"):
        Penalty()
    assert Penalty.__abstractmethods__ == {"value", "gradient", "curvature", "prox"}


def test_least_subgradient_of_a_smooth_penalty_is_the_sum_of_gradients():
    rng = np.random.default_rng(0)
    w, slope = rng.normal(size=(4, 2)), rng.normal(size=(4, 2))
    for penalty in (Pull(), L2(0.7), Zero()):
        assert_allclose(penalty.least_subgradient(w, slope), slope + penalty.gradient(w))


def test_flags():
    """penalties.01, penalties.02: what solvers read before they accept a penalty."""
    assert [p.smooth for p in (L1, L2, Zero)] == [False, True, True]
    assert all(p.convex and p.separable for p in (L1, L2, Zero))


@pytest.mark.parametrize("penalty", [L1, L2])
@pytest.mark.parametrize("alpha", [-1.0, np.nan, np.inf, "1", True, None])
def test_bad_strength_is_refused_by_name(penalty, alpha):
    need = "finite" if alpha == np.inf else "a number of at least"
    with pytest.raises(ValueError, match=f"{penalty.__name__}: alpha must be {need}"):
        penalty(alpha)


def test_what_a_penalty_does_not_know_of_itself_is_none():
    """Solvers that need absolute values, squares or a quadratic form ask before any work."""
    assert Pull().elastic is None
    assert Pull().quadratic_form is None
    assert L1(0.3).quadratic_form is None
    assert (Zero().elastic, L1(0.3).elastic, L2(0.3).elastic) == ((0, 0), (0.3, 0), (0, 0.3))
