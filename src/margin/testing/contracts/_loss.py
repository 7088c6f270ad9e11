"""What every loss must satisfy."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np

from margin.core.types import Array, Floats
from margin.losses import Loss
from margin.testing._finite_differences import Differences, elementwise_differences
from margin.testing.contracts._values import assert_is_value, assert_unchanged, rounding


class LossContract(ABC):
    """Base class of the tests of a loss: subclass it and give :meth:`make`.

    Attributes
    ----------
    labels : tuple of two floats
        Targets of a loss of the form ``"margin"``, negative class first.
    n_classes : int
        Columns of the scores of a loss of the form ``"classes"``.
    extreme : float
        Size of score at which value and slope must still be finite.

    Examples
    --------
    >>> from margin.losses import Squared
    >>> class TestSquared(LossContract):
    ...     def make(self):
    ...         return [Squared()]
    >>> TestSquared().test_slope_is_the_derivative()
    """

    labels: tuple[float, float] = (0.0, 1.0)
    n_classes = 3
    extreme = 1e4
    n = 200

    @abstractmethod
    def make(self) -> Iterable[Loss]:
        """Losses to test, a few parameter values each."""

    def targets(self, loss: Loss, rng: np.random.Generator, n: int) -> Array:
        """Random targets that suit the form of the loss."""
        if loss.form == "residual":
            return rng.normal(size=n)
        if loss.form == "margin":
            return rng.choice(np.array(self.labels), size=n)
        return rng.integers(self.n_classes, size=n)

    def scores(self, loss: Loss, rng: np.random.Generator, n: int) -> Floats:
        """Random raw predictions that suit the form of the loss."""
        return rng.normal(scale=2.0, size=(n, self.n_classes) if loss.form == "classes" else n)

    def cases(self, n: int | None = None) -> Iterable[tuple[Loss, Floats, Array]]:
        """Every loss with random scores and targets."""
        for loss in self.make():
            rng = np.random.default_rng(0)
            size = self.n if n is None else n
            yield loss, self.scores(loss, rng, size), self.targets(loss, rng, size)

    def test_is_an_immutable_value(self) -> None:
        """Frozen, hashable, equal to its copies."""
        for loss in self.make():
            assert_is_value(loss)

    def test_shapes_and_input_left_alone(self) -> None:
        """One value per row, slope and curvature of the shape of the scores."""
        for loss, z, y in self.cases():
            before = z.copy(), y.copy()
            assert loss.value(z, y).shape == (len(y),)
            assert loss.slope(z, y).shape == z.shape
            assert loss.curvature(z, y).shape == z.shape
            assert_unchanged((z, y), before, f"{loss}")

    def test_nonnegative(self) -> None:
        """No loss below zero."""
        for loss, z, y in self.cases():
            assert loss.value(z, y).min() >= 0, f"{loss} is negative somewhere"

    def test_vectorised_is_scalar(self) -> None:
        """A row alone has the loss it has among others."""
        for loss, z, y in self.cases(20):
            for method in (loss.value, loss.slope, loss.curvature):
                alone = np.concatenate([method(z[i : i + 1], y[i : i + 1]) for i in range(20)])
                np.testing.assert_allclose(method(z, y), alone, rtol=1e-14, atol=1e-300)

    def test_slope_is_the_derivative(self) -> None:
        """Slopes agree with finite differences wherever these exist."""
        for loss, z, y in self.cases():
            measured = _value_differences(loss, z, y)
            _compare(loss.slope(z, y), measured, f"slope of {loss}")
            if loss.differentiable:
                assert measured.smooth.all(), f"{loss} claims to be differentiable but has a kink"

    def test_curvature_is_the_second_derivative(self) -> None:
        """Curvatures agree with differences of the slope wherever these exist."""
        for loss, z, y in self.cases():
            exists = _value_differences(loss, z, y).smooth
            measured = _slope_differences(loss, z, y)
            believed = measured._replace(smooth=measured.smooth & exists)
            _compare(loss.curvature(z, y), believed, f"curvature of {loss}")

    def test_conjugate_bounds_the_loss_from_below(self) -> None:
        """No line lies above the loss, and the tangent at a score touches it there."""
        for loss, z, y in self.cases():
            if not loss.has_conjugate:
                continue
            slope = loss.slope(z, y)
            bound = z[::-1] * slope - loss.conjugate(slope, y)
            assert (bound <= loss.value(z[::-1], y) + rounding(bound)).all()
            touching = z * slope - loss.conjugate(slope, y)
            np.testing.assert_allclose(touching, loss.value(z, y), rtol=1e-9, atol=1e-12)

    def test_both_codings_of_labels(self) -> None:
        """A loss of the margin means the same for labels 0/1 and -1/+1; others are refused."""
        for loss, z, y in self.cases():
            if loss.form != "margin" or self.labels != (0.0, 1.0):
                continue
            other = 2.0 * y - 1.0
            for method in (loss.value, loss.slope, loss.curvature):
                np.testing.assert_array_equal(method(z, y), method(z, other))
            ours, theirs = loss.sweep(z, y, None), loss.sweep(z, other, None)
            assert ours[0] == theirs[0]
            np.testing.assert_array_equal(loss.targets(y), loss.targets(other))
            words = f"^{type(loss).__name__}: y must be"
            strange: tuple[Any, ...] = ([1.0, 2.0], [-1.0, 0.0, 1.0], [np.nan, 1.0], ["a", "b"])
            for wrong in strange:
                for ask in (loss.targets, partial(loss.value, np.zeros(len(wrong)))):
                    with np.testing.assert_raises_regex(ValueError, words):
                        ask(wrong)

    def test_convex_along_chords(self) -> None:
        """A chord lies nowhere below a convex loss."""
        for loss, z, y in self.cases():
            if loss.convex:
                rng = np.random.default_rng(1)
                other = self.scores(loss, rng, len(y))
                share = rng.random(len(y))
                t = share if z.ndim == 1 else share[:, None]
                chord = share * loss.value(z, y) + (1 - share) * loss.value(other, y)
                inside = loss.value(t * z + (1 - t) * other, y)
                worst = float((inside - chord).max())
                assert worst <= rounding(chord), f"{loss} rises {worst} above a chord"

    def test_subgradient_inequality(self) -> None:
        """A convex loss lies nowhere below its tangents, also those at kinks."""
        for loss, z, y in self.cases():
            if loss.convex:
                for start in (z, np.zeros_like(z), np.ones_like(z)):
                    rise = loss.slope(start, y) * (z[::-1] - start)
                    tangent = loss.value(start, y) + (rise if z.ndim == 1 else rise.sum(axis=1))
                    worst = float((tangent - loss.value(z[::-1], y)).max())
                    assert worst <= rounding(tangent), f"a tangent of {loss} lies {worst} above it"

    def test_smoothness_bounds_the_change_of_slope(self) -> None:
        """The stated smoothness is a Lipschitz constant of the slope, and not a loose one."""
        for loss, z, y in self.cases():
            if np.isfinite(loss.smoothness):
                other = self.scores(loss, np.random.default_rng(2), len(y))
                change = loss.slope(z, y) - loss.slope(other, y)
                length = _row_norm(change) - loss.smoothness * _row_norm(z - other)
                assert length.max() <= 1e-10, f"the slope of {loss} changes faster than it states"
                if z.ndim == 1:
                    grid = np.linspace(-5, 5, 2001)
                    target = np.full(len(grid), y[0])
                    reached = loss.curvature(grid, target).max()
                    assert reached >= 0.9 * loss.smoothness, f"{loss}: smoothness is too large"

    def test_bounds_zero_one(self) -> None:
        """A loss that says so is nowhere below the 0-1 loss."""
        for loss, z, y in self.cases():
            if loss.bounds_zero_one and loss.form == "margin":
                wrong = (z > 0) != (y == self.labels[1])
                assert (loss.value(z, y) >= wrong).all(), f"{loss} is below the 0-1 loss"

    def test_sweep_is_the_weighted_sum(self) -> None:
        """The fused pass gives what the separate methods give, for any number of threads."""
        rng = np.random.default_rng(3)
        for n in (0, 1, 1000):
            for loss, z, y in self.cases(n):
                if loss.form != "classes":
                    y = y.astype(np.float64)
                for weight in (None, rng.random(n), np.zeros(n)):
                    for n_threads in (1, 2):
                        self._check_sweep(loss, z, y, weight, n_threads)

    def _check_sweep(
        self, loss: Loss, z: Floats, y: Array, weight: Floats | None, n_threads: int
    ) -> None:
        total, slope, bend = loss.sweep(z, y, weight, curvature=True, n_threads=n_threads)
        short = loss.sweep(z, y, weight, n_threads=n_threads)
        s = np.ones(len(y)) if weight is None else weight
        column = s if z.ndim == 1 else s[:, None]
        _close(total, s @ loss.value(z, y))
        _close(slope, column * loss.slope(z, y))
        assert bend is not None, f"{loss}: sweep must give the curvature when asked"
        _close(bend, column * loss.curvature(z, y))
        _close(short[0], total)
        _close(short[1], slope)
        assert short[2] is None, f"{loss}: sweep must not give a curvature unasked"

    def test_extreme_scores_stay_finite(self) -> None:
        """No overflow, no NaN and no warning far from the data."""
        for loss, z, y in self.cases(20):
            far = np.sign(z) * self.extreme
            with np.errstate(over="raise", invalid="raise", divide="raise"):
                for method in (loss.value, loss.slope, loss.curvature):
                    assert np.isfinite(method(far, y)).all(), f"{loss} is not finite at {far[0]}"


def _value_differences(loss: Loss, z: Floats, y: Array) -> Differences:
    def value(scores: Floats) -> Floats:
        return loss.value(scores, y)

    return elementwise_differences(value, z)


def _slope_differences(loss: Loss, z: Floats, y: Array) -> Differences:
    """Of each slope with respect to its own score: the diagonal, for class scores."""
    if z.ndim == 1:
        return elementwise_differences(partial(_slope, loss, y, None), z)
    diagonal = [elementwise_differences(partial(_slope, loss, y, k), z) for k in range(z.shape[1])]
    return Differences(
        np.column_stack([d.value[:, k] for k, d in enumerate(diagonal)]),
        np.column_stack([d.smooth[:, k] for k, d in enumerate(diagonal)]),
    )


def _slope(loss: Loss, y: Array, column: int | None, z: Floats) -> Floats:
    slope = loss.slope(z, y)
    return slope if column is None else slope[:, column]


def _compare(given: Floats, measured: Differences, what: str) -> None:
    where = measured.smooth
    assert where.mean() > 0.5, f"{what}: most of the test points are kinks"
    np.testing.assert_allclose(
        given[where], measured.value[where], rtol=1e-5, atol=1e-6, err_msg=what
    )


def _close(given: Any, wanted: Any) -> None:
    np.testing.assert_allclose(given, wanted, rtol=1e-12, atol=1e-14)


def _row_norm(x: Floats) -> Floats:
    return np.abs(x) if x.ndim == 1 else np.asarray(np.linalg.norm(x, axis=1))
