"""Measurement scales and the transformations under which a statement on them must survive."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from margin.core.random import generator
from margin.core.types import Array, Floats
from margin.datasets import _requirements as require

Transformation = Callable[[Floats], Floats]


@dataclass(frozen=True)
class Scale:
    """A measurement scale: what of a number carries information.

    Serves datasets.24.

    Parameters
    ----------
    name : {"nominal", "ordinal", "interval", "ratio", "absolute"}
        The scale.
    group : str
        The transformations that lose nothing.
    meaning : str
        What carries information.

    Examples
    --------
    >>> SCALES["interval"].group
    'affine maps a x + b with a > 0'
    >>> celsius, fahrenheit = [0.0, 37.0, 100.0], [32.0, 98.6, 212.0]
    >>> [scale.name for scale in SCALES.values() if scale.admits(celsius, fahrenheit)]
    ['nominal', 'ordinal', 'interval']
    """

    name: str
    group: str
    meaning: str

    def admits(self, before: ArrayLike, after: ArrayLike, rtol: float = 1e-9) -> bool:
        """Whether ``after`` is an allowed transformation of ``before`` on this scale.

        Parameters
        ----------
        before, after : array-like of the same length
            The same objects measured twice; finite numbers.
        rtol : float
            Relative tolerance of the interval, ratio and absolute scales.
        """
        x, y = np.asarray(before, dtype=float), np.asarray(after, dtype=float)
        if x.ndim != 1 or x.shape != y.shape:
            raise ValueError(
                "Scale: before and after must be vectors of one length, "
                f"got shapes {x.shape} and {y.shape}"
            )
        if not (np.isfinite(x).all() and np.isfinite(y).all()):
            raise ValueError("Scale: before and after must be finite, got NaN or infinity")
        return _ADMISSION[self.name](x, y, rtol)

    def draw(self, random_state: Any = None) -> Transformation:
        """A random member of the group, as a function of arrays of any shape.

        The nominal member renames the distinct values it is given by a random permutation of
        them; the ordinal one is a random strictly increasing cubic.
        """
        return _MEMBER[self.name](generator(random_state))


def _same_partition(x: Array, y: Array, rtol: float) -> bool:
    pairs = np.unique(np.column_stack([x, y]), axis=0)
    return len(pairs) == len(np.unique(x)) == len(np.unique(y))


def _same_order(x: Array, y: Array, rtol: float) -> bool:
    order = np.argsort(x, kind="stable")
    steps, images = np.diff(x[order]), np.diff(y[order])
    return bool(np.all(np.where(steps > 0, images > 0, images == 0)))


def _affine(x: Array, y: Array, rtol: float) -> bool:
    low, high = int(np.argmin(x)), int(np.argmax(x))
    if x[low] == x[high]:
        return bool(np.all(y == y[low]))
    slope = (y[high] - y[low]) / (x[high] - x[low])
    line = y[low] + slope * (x - x[low])
    return bool(slope > 0 and np.allclose(y, line, rtol=0, atol=rtol * np.abs(y).max()))


def _proportional(x: Array, y: Array, rtol: float) -> bool:
    largest = int(np.argmax(np.abs(x)))
    if x[largest] == 0:
        return bool(np.all(y == 0))
    unit = y[largest] / x[largest]
    return bool(unit > 0 and np.allclose(y, unit * x, rtol=rtol, atol=0))


def _identical(x: Array, y: Array, rtol: float) -> bool:
    return bool(np.allclose(y, x, rtol=rtol, atol=0))


def _permutation(rng: np.random.Generator) -> Transformation:
    seed = int(rng.integers(2**63))

    def rename(x: Floats) -> Floats:
        values, codes = np.unique(x, return_inverse=True)
        return np.random.default_rng(seed).permutation(values)[codes].reshape(np.shape(x))

    return rename


def _increasing(rng: np.random.Generator) -> Transformation:
    cubic, linear, centre, shift = rng.uniform([0.1, 0.1, -1, -5], [2, 2, 1, 5])
    return lambda x: cubic * (x - centre) ** 3 + linear * x + shift


def _affine_member(rng: np.random.Generator) -> Transformation:
    unit, shift = np.exp(rng.uniform(-2, 2)), rng.uniform(-5, 5)
    return lambda x: unit * x + shift


def _unit(rng: np.random.Generator) -> Transformation:
    unit = np.exp(rng.uniform(-2, 2))
    return lambda x: unit * x


def _identity(rng: np.random.Generator) -> Transformation:
    return lambda x: np.array(x, dtype=float)


_ADMISSION = {
    "nominal": _same_partition,
    "ordinal": _same_order,
    "interval": _affine,
    "ratio": _proportional,
    "absolute": _identical,
}
_MEMBER = {
    "nominal": _permutation,
    "ordinal": _increasing,
    "interval": _affine_member,
    "ratio": _unit,
    "absolute": _identity,
}

#: The five scales, weakest first; the group of each contains the groups of all that follow.
SCALES: Mapping[str, Scale] = MappingProxyType(
    {
        scale.name: scale
        for scale in (
            Scale("nominal", "one-to-one renamings", "equality"),
            Scale("ordinal", "strictly increasing maps", "equality and order"),
            Scale("interval", "affine maps a x + b with a > 0", "ratios of differences"),
            Scale("ratio", "changes of unit a x with a > 0", "ratios; zero is a fact"),
            Scale("absolute", "the identity", "the number itself"),
        )
    }
)


def is_invariant(
    function: Callable[[Floats], ArrayLike],
    x: ArrayLike,
    scale: str,
    *,
    n_draws: int = 20,
    rtol: float = 1e-7,
    random_state: Any = None,
) -> bool:
    """Whether a conclusion survives random allowed transformations of its data.

    Serves datasets.24: a method fit for a scale concludes :math:`f(g(x)) = f(x)` for every
    :math:`g` of the scale's group.

    Parameters
    ----------
    function : callable
        Maps the measurements to its conclusion, a number or an array.
    x : array-like
        Measurements.
    scale : str
        Name of a scale in :data:`SCALES`.
    n_draws : int
        Number of random transformations tried; one failure decides.
    rtol : float
        Relative tolerance of the comparison.
    random_state : None, int or Generator
        Source of randomness.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([3.0, 1.0, 4.0, 1.5, 9.0])
    >>> is_invariant(np.argsort, x, "ordinal", random_state=0)
    True
    >>> is_invariant(lambda v: v.std() / v.mean(), x, "ratio", random_state=0)
    True
    >>> is_invariant(lambda v: v.std() / v.mean(), x, "interval", random_state=0)
    False
    """
    require.one_of("is_invariant", tuple(SCALES), scale=scale)
    require.count("is_invariant", n_draws=n_draws)
    values = np.asarray(x, dtype=float)
    rng = generator(random_state)
    conclusion = np.asarray(function(values))
    for _ in range(n_draws):
        changed = np.asarray(function(SCALES[scale].draw(rng)(values)))
        if changed.shape != conclusion.shape:
            return False
        if not np.allclose(changed, conclusion, rtol=rtol, atol=rtol):
            return False
    return True
