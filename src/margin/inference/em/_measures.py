"""When expectation maximisation has converged: what is measured from step to step."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from margin.core.types import Floats
from margin.inference.em._point import AnyPoint


class Measure(ABC):
    """What the certificate of expectation maximisation says; compared with ``tol``."""

    kind: str

    @abstractmethod
    def __call__(self, before: AnyPoint | None, after: AnyPoint) -> float | None:
        """Measured value after a step; ``before`` is ``None`` at the start.

        ``None`` where nothing can be said.
        """


@dataclass(frozen=True)
class RelativeGain(Measure):
    r"""Gain of the bound in a step, :math:`|L' - L| / \max(|L'|, \text{floor})`.

    A step that lowers the bound (after a repair, with an E step that draws) is no convergence.

    Parameters
    ----------
    floor : float
        Least size of the bound that the gain is compared with, in the unit of the bound.

    Examples
    --------
    >>> from margin.inference import Point, RelativeGain
    >>> RelativeGain()(Point(None, -210.0, None), Point(None, -200.0, None))
    0.05
    """

    floor: float = 1.0
    kind = "relative gain"

    def __call__(self, before: AnyPoint | None, after: AnyPoint) -> float | None:
        """Gain since the point before."""
        if before is None:
            return None
        return abs(after.bound - before.bound) / max(abs(after.bound), self.floor)


@dataclass(frozen=True)
class Gain(Measure):
    r"""Gain of the bound in a step, :math:`|L' - L|`, in its own unit.

    Examples
    --------
    >>> from margin.inference import Gain, Point
    >>> Gain()(Point(None, -2.5, None), Point(None, -2.25, None))
    0.25
    """

    kind: str = "gain of the bound"

    def __call__(self, before: AnyPoint | None, after: AnyPoint) -> float | None:
        """Gain since the point before."""
        return None if before is None else abs(after.bound - before.bound)


@dataclass(frozen=True)
class LargestChange(Measure):
    """Largest change of a number among the parameters in a step.

    Parameters are numbers, arrays, or tuples, lists, mappings and frozen dataclasses of them.

    Parameters
    ----------
    kind : str
        How the report calls it.

    Examples
    --------
    >>> from margin.inference import LargestChange, Point
    >>> before = Point((0.5, [1.0, 2.0]), -3.0, None)
    >>> after = Point((0.25, [1.0, 2.125]), -2.0, None)
    >>> LargestChange()(before, after)
    0.25
    """

    kind: str = "largest change of a parameter"

    def __call__(self, before: AnyPoint | None, after: AnyPoint) -> float | None:
        """Change since the point before."""
        if before is None:
            return None
        pairs = zip(leaves(before.parameters), leaves(after.parameters), strict=True)
        return max((float(np.abs(b - a).max(initial=0.0)) for a, b in pairs), default=0.0)


def leaves(parameters: Any) -> Iterator[Floats]:
    """All numbers among parameters, array by array.

    Examples
    --------
    >>> import numpy as np
    >>> [leaf.tolist() for leaf in leaves({"weights": [0.5, 0.5], "mean": np.zeros(2)})]
    [0.5, 0.5, [0.0, 0.0]]
    """
    if is_dataclass(parameters) and not isinstance(parameters, type):
        parameters = [getattr(parameters, field.name) for field in fields(parameters)]
    if isinstance(parameters, Mapping):
        parameters = list(parameters.values())
    if isinstance(parameters, list | tuple):
        for part in parameters:
            yield from leaves(part)
    else:
        yield np.asarray(parameters, dtype=np.float64)
