"""Averages of the iterates of a stochastic method."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from margin.core import check
from margin.core.types import Floats


class Averaging(ABC):
    r"""How the iterates are averaged: :math:`\bar w \leftarrow \bar w + m_t (w_{t+1} - \bar w)`.

    Prediction uses the average, whose noise is much lower than that of the last iterate.
    """

    @abstractmethod
    def mix(self, start: int, count: int) -> Floats:
        """The factors :math:`m_t` of ``count`` steps from step ``start`` on."""


@dataclass(frozen=True)
class PolyakAverage(Averaging):
    r"""Plain mean of all iterates after the first ``burn_in`` steps (Polyak and Ruppert).

    Until then the average is the iterate itself.

    Examples
    --------
    >>> PolyakAverage(burn_in=2).mix(0, 5).round(3)
    array([1.   , 1.   , 1.   , 0.5  , 0.333])
    """

    burn_in: int = 0

    def __post_init__(self) -> None:
        if isinstance(self.burn_in, bool) or self.burn_in != int(self.burn_in) or self.burn_in < 0:
            raise check.fail(self, "burn_in", "an integer of at least 0", self.burn_in)

    def mix(self, start: int, count: int) -> Floats:
        t = np.arange(start, start + count, dtype=np.float64)
        return np.asarray(1.0 / np.maximum(t - self.burn_in + 1.0, 1.0))


@dataclass(frozen=True)
class ExponentialAverage(Averaging):
    r"""Exponential average :math:`\bar w \leftarrow (1 - \mu) \bar w + \mu w` (optim.07).

    The weight of an iterate falls by a factor :math:`e` in about :math:`1/\mu` steps.

    Examples
    --------
    >>> ExponentialAverage(0.1).mix(0, 3)
    array([1. , 0.1, 0.1])
    """

    mu: float = 0.01

    def __post_init__(self) -> None:
        check.params(self, positive="mu", fraction="mu")

    def mix(self, start: int, count: int) -> Floats:
        factors = np.full(count, float(self.mu))
        if start == 0 and count:
            factors[0] = 1.0
        return factors
