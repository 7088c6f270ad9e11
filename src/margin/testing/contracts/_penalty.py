"""What every penalty must satisfy."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from functools import partial

import numpy as np

from margin.core.types import Floats
from margin.penalties import Penalty
from margin.testing._finite_differences import finite_differences
from margin.testing.contracts._values import assert_is_value, assert_unchanged, rounding


class PenaltyContract(ABC):
    """Base class of the tests of a penalty: subclass it and give :meth:`make`.

    Attributes
    ----------
    shapes : tuple of shapes
        Shapes of coefficients the penalty takes.
    steps : tuple of float
        Step lengths for which the proximal operator is tested.

    Examples
    --------
    >>> from margin.penalties import L1
    >>> class TestL1(PenaltyContract):
    ...     def make(self):
    ...         return [L1(0.3), L1(2.0)]
    >>> TestL1().test_prox_is_the_minimiser()
    """

    shapes: tuple[tuple[int, ...], ...] = ((1,), (6,), (4, 3))
    steps: tuple[float, ...] = (1e-3, 0.5, 10.0)

    @abstractmethod
    def make(self) -> Iterable[Penalty]:
        """Penalties to test, a few parameter values each."""

    def draw(self, rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
        """Random coefficients, some of them exactly zero."""
        w = rng.normal(size=shape)
        return np.where(rng.random(shape) < 0.2, 0.0, w)

    def cases(self, repeats: int = 8) -> Iterable[tuple[Penalty, Floats, Floats]]:
        """Every penalty with two random coefficient arrays."""
        rng = np.random.default_rng(0)
        for penalty in self.make():
            for shape in self.shapes:
                for _ in range(repeats):
                    yield penalty, self.draw(rng, shape), self.draw(rng, shape)

    def test_is_an_immutable_value(self) -> None:
        """Frozen, hashable, equal to its copies."""
        for penalty in self.make():
            assert_is_value(penalty)

    def test_shapes_and_input_left_alone(self) -> None:
        """A float, and arrays of the shape of the coefficients, which stay as they were."""
        for penalty, w, _ in self.cases(1):
            before = w.copy()
            assert isinstance(penalty.value(w), float)
            arrays = [penalty.gradient(w), penalty.curvature(w), penalty.prox(w, 0.5)]
            for array in arrays:
                assert array.shape == w.shape
                array += 1.0
            assert_unchanged((w,), (before,), f"{penalty}")

    def test_nonnegative(self) -> None:
        """No penalty below zero, and none for zero coefficients."""
        for penalty, w, _ in self.cases():
            assert penalty.value(w) >= 0, f"{penalty} is negative"
            assert penalty.value(np.zeros_like(w)) == 0, f"{penalty} penalises zero"

    def test_strengths_and_forms_are_the_penalty(self) -> None:
        """What a penalty tells solvers about itself gives its value."""
        for penalty, w, _ in self.cases(2):
            if penalty.elastic is not None:
                l1, l2 = penalty.elastic
                told = l1 * np.abs(w).sum() + 0.5 * l2 * np.vdot(w, w)
                np.testing.assert_allclose(penalty.value(w), told, rtol=1e-12, atol=1e-300)
            if penalty.quadratic_form is not None:
                alpha, omega = penalty.quadratic_form
                told = 0.5 * alpha * np.vdot(w, w if omega is None else omega @ w)
                np.testing.assert_allclose(penalty.value(w), told, rtol=1e-9, atol=1e-12)

    def test_gradient_is_the_derivative(self) -> None:
        """Gradients agree with finite differences wherever these exist."""
        for penalty, w, _ in self.cases():
            measured = finite_differences(penalty.value, w)
            given = penalty.gradient(w)
            np.testing.assert_allclose(
                given[measured.smooth], measured.value[measured.smooth], rtol=1e-5, atol=1e-7
            )
            if penalty.smooth:
                assert measured.smooth.all(), f"{penalty} claims to be smooth but has a kink"

    def test_gradient_is_the_subgradient_of_least_norm(self) -> None:
        r"""Along :math:`-g` a convex penalty falls at the rate :math:`\|g\|^2`, also at kinks."""
        for penalty, w, _ in self.cases():
            if penalty.convex:
                g = penalty.gradient(w)
                h = 1e-7
                rate = (penalty.value(w - h * g) - penalty.value(w)) / h
                np.testing.assert_allclose(rate, -float(np.vdot(g, g)), rtol=1e-4, atol=1e-4)

    def test_curvature_is_the_second_derivative(self) -> None:
        """The diagonal agrees with differences of the gradient wherever these exist."""
        for penalty, w, _ in self.cases(2):
            given = penalty.curvature(w)
            exists = finite_differences(penalty.value, w).smooth
            for index in np.ndindex(w.shape):
                measured = finite_differences(partial(_entry, penalty, index), w)
                if exists[index] and measured.smooth[index]:
                    np.testing.assert_allclose(
                        given[index], measured.value[index], rtol=1e-5, atol=1e-6
                    )

    def test_separable_is_a_sum_over_coordinates(self) -> None:
        """A penalty that says so is the sum of the penalties of single coordinates."""
        for penalty, w, _ in self.cases(2):
            if penalty.separable:
                parts = []
                for index in np.ndindex(w.shape):
                    alone = np.zeros_like(w)
                    alone[index] = w[index]
                    parts.append(penalty.value(alone))
                np.testing.assert_allclose(penalty.value(w), sum(parts), rtol=1e-12, atol=1e-15)

    def test_convex_along_chords(self) -> None:
        """A chord lies nowhere below a convex penalty."""
        for penalty, w, v in self.cases():
            if penalty.convex:
                for t in (0.1, 0.5, 0.9):
                    chord = t * penalty.value(w) + (1 - t) * penalty.value(v)
                    assert penalty.value(t * w + (1 - t) * v) <= chord + rounding(chord)

    def test_subgradient_inequality(self) -> None:
        """A convex penalty lies nowhere below its tangents, also those at kinks."""
        for penalty, w, v in self.cases():
            if penalty.convex:
                tangent = penalty.value(w) + float(np.vdot(penalty.gradient(w), v - w))
                assert penalty.value(v) >= tangent - rounding(tangent)

    def test_prox_is_the_minimiser(self) -> None:
        r"""No point near or far has a smaller :math:`J(u) + \|u - w\|^2 / 2t` than the prox."""
        rng = np.random.default_rng(1)
        for penalty, w, v in self.cases(3):
            for step in self.steps:
                p = penalty.prox(w, step)
                least = _envelope(penalty, p, w, step)
                others = [w, v, np.zeros_like(w)]
                for size in (1e-4, 1e-2, 1.0):
                    others += [p + size * rng.normal(size=w.shape) for _ in range(20)]
                for index in np.ndindex(w.shape):
                    for value in np.linspace(-3, 3, 61):
                        trial = p.copy()
                        trial[index] = value
                        others.append(trial)
                lowest = min(_envelope(penalty, u, w, step) for u in others)
                assert lowest >= least - rounding(least), (
                    f"{penalty}: prox with step {step} is not the minimiser: {lowest} < {least}"
                )

    def test_prox_is_firmly_nonexpansive(self) -> None:
        r""":math:`\|Pu - Pv\|^2 \le \langle Pu - Pv, u - v \rangle` for a convex penalty."""
        for penalty, w, v in self.cases():
            if penalty.convex:
                for step in self.steps:
                    moved = penalty.prox(w, step) - penalty.prox(v, step)
                    inner = float(np.vdot(moved, w - v))
                    assert float(np.vdot(moved, moved)) <= inner + rounding(inner), (
                        f"the proximal operator of {penalty} is not firmly non-expansive"
                    )

    def test_prox_of_a_vanishing_step_is_the_identity(self) -> None:
        """With almost no weight on the penalty nothing moves."""
        for penalty, w, _ in self.cases(2):
            if np.isfinite(penalty.value(w)):
                np.testing.assert_allclose(penalty.prox(w, 1e-12), w, atol=1e-6)


def _entry(penalty: Penalty, index: tuple[int, ...], w: Floats) -> float:
    return float(penalty.gradient(w)[index])


def _envelope(penalty: Penalty, u: Floats, w: Floats, step: float) -> float:
    return penalty.value(u) + float(np.vdot(u - w, u - w)) / (2 * step)
