"""The loss interface and its default sweep (losses.01)."""

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.losses import (
    Absolute,
    EpsilonInsensitive,
    Exponential,
    FullSquared,
    Hinge,
    Huber,
    Logistic,
    Loss,
    Perceptron,
    Poisson,
    Quantile,
    Softmax,
    Squared,
    SquaredHinge,
    Tukey,
    ZeroOne,
)


@dataclass(frozen=True)
class Quartic(Loss):
    """A loss that relies on everything the base class gives."""

    form = "residual"

    def value(self, z, y):
        return (z - y) ** 4

    def slope(self, z, y):
        return 4 * (z - y) ** 3

    def curvature(self, z, y):
        return 12 * (z - y) ** 2


@dataclass(frozen=True)
class Brier(Loss):
    """Squared distance of a score row from the indicator of its class."""

    form = "classes"

    def value(self, z, y):
        return 0.5 * ((z - np.eye(z.shape[1])[y]) ** 2).sum(axis=1)

    def slope(self, z, y):
        return z - np.eye(z.shape[1])[y]

    def curvature(self, z, y):
        return np.ones_like(z)


def test_a_loss_must_give_value_slope_and_curvature():
    """losses.01: the interface is abstract, its three methods are not optional."""
    with pytest.raises(TypeError, match="abstract"):
        Loss()
    assert Loss.__abstractmethods__ == {"value", "slope", "curvature"}


@pytest.mark.parametrize("n", [0, 1, 40])
def test_default_sweep_is_the_weighted_sum(n):
    """losses.01: losses without a compiled kernel are summed by the base class."""
    rng = np.random.default_rng(0)
    z, y, s = rng.normal(size=n), rng.normal(size=n), rng.random(n)
    loss = Quartic()
    total, slope, bend = loss.sweep(z, y, s, curvature=True)
    assert isinstance(total, float)
    assert_allclose(total, sum(s * (z - y) ** 4))
    assert_allclose(slope, s * 4 * (z - y) ** 3)
    assert_allclose(bend, s * 12 * (z - y) ** 2)
    total, slope, bend = loss.sweep(z, y, None)
    assert_allclose(total, sum((z - y) ** 4))
    assert_allclose(slope, loss.slope(z, y))
    assert bend is None


def test_default_sweep_weighs_rows_of_class_scores():
    rng = np.random.default_rng(1)
    z, y, s = rng.normal(size=(12, 3)), rng.integers(3, size=12), rng.random(12)
    total, slope, bend = Brier().sweep(z, y, s, curvature=True)
    assert_allclose(total, s @ Brier().value(z, y))
    assert_allclose(slope, s[:, None] * (z - np.eye(3)[y]))
    assert_allclose(bend, np.repeat(s[:, None], 3, axis=1))


def test_flags_say_what_may_be_relied_on():
    """losses.01: form, convexity, differentiability and largest curvature of the losses."""
    assert [loss.form for loss in (Squared, Logistic, Softmax)] == ["residual", "margin", "classes"]
    assert [loss.smoothness for loss in (Squared, Logistic, Softmax)] == [1.0, 0.25, 0.5]
    for loss in (Squared, Logistic, Softmax):
        assert loss.convex
        assert loss.differentiable
        assert not loss.bounds_zero_one
    assert Quartic.smoothness == np.inf
    assert Quartic.native_id is None


def test_gain_is_the_loss_turned_over():
    """losses.01: who prefers to maximise reaches the same point."""
    z, y = np.linspace(-2, 2, 9), np.ones(9)
    for loss in (Squared(), Logistic(), Quartic()):
        assert_allclose(loss.gain(z, y), -loss.value(z, y))
        assert loss.gain(z, y).argmax() == loss.value(z, y).argmin()


def test_which_losses_bound_the_number_of_errors():
    """losses.01: hinge, its square and the exponential do; perceptron and logistic do not."""
    m = np.linspace(-3, 3, 601)
    every = (ZeroOne(), Perceptron(), Hinge(), SquaredHinge(), Exponential(), Logistic())
    for loss in every:
        above = bool((loss.value(m, np.ones(601)) >= (m <= 0)).all())
        assert above == loss.bounds_zero_one, loss


@pytest.mark.parametrize(
    "loss",
    [
        Squared(), FullSquared(), Absolute(), Huber(), Tukey(), Quantile(0.3), Poisson(),
        EpsilonInsensitive(), Logistic(), Hinge(), SquaredHinge(), Perceptron(), Exponential(),
        ZeroOne(),
    ],
    ids=lambda loss: type(loss).__name__,
)  # fmt: skip
def test_lists_are_taken_and_words_are_refused(loss):
    """Plain lists are as good as arrays; what is no number is refused by name."""
    z, y = [1, 2, -0.5], [1, 0, 1]
    for method in (loss.value, loss.slope, loss.curvature):
        assert_allclose(method(z, y), method(np.array(z), np.array(y, dtype=float)))
    with pytest.raises(ValueError, match=f"^{type(loss).__name__}: z must be numbers, got"):
        loss.value(["a", "b", "c"], y)
    with pytest.raises(ValueError, match=f"^{type(loss).__name__}: y must be numbers, got"):
        loss.targets(["a", "b", "c"])


def test_squares_of_lists():
    """The first thing somebody types."""
    assert Squared().value([1, 2], [1, -1]).tolist() == [0.0, 4.5]


def test_a_loss_without_conjugate_says_so():
    assert not Quartic.has_conjugate
    with pytest.raises(NotImplementedError, match="Quartic gives no conjugate"):
        Quartic().conjugate(np.zeros(1), np.zeros(1))


@pytest.mark.parametrize("loss", [Squared(), FullSquared(), Logistic()], ids=repr)
def test_conjugate_is_the_largest_lead_of_a_line(loss):
    """Against the definition, on a fine grid of scores."""
    z = np.linspace(-40, 40, 80_001)
    for y in (0.0, 1.0):
        for u in (-0.9 if y else 0.1, -0.5 if y else 0.5):
            best = (u * z - loss.value(z, np.full(len(z), y))).max()
            assert_allclose(loss.conjugate([u], [y]), best, atol=1e-6)
    assert Logistic().conjugate([0.5], [1.0]) == np.inf
