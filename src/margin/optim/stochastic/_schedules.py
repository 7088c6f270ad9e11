"""Learning-rate schedules as values."""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats


class Schedule(ABC):
    r"""Length of step ``t = 0, 1, 2, …`` of a stochastic method (optim.13).

    Attributes
    ----------
    stall_factor : float
        What the rate is multiplied by when the objective has stopped falling; 1 for schedules
        that depend on the step alone.
    """

    stall_factor: float = 1.0

    @property
    def passive(self) -> int:
        """How :class:`SGD` reads a length: 0 as a factor of the gradient; 1 as the most that a
        passive-aggressive step may be, 2 as what damps it.
        """
        return 0

    @abstractmethod
    def rate(self, t: ArrayLike) -> Floats:
        """Length of the steps ``t``, vectorised."""


@dataclass(frozen=True)
class Constant(Schedule):
    r"""The same length always, :math:`\tau_0`.

    Examples
    --------
    >>> Constant(0.1).rate([0, 10])
    array([0.1, 0.1])
    """

    tau0: float = 0.01

    def __post_init__(self) -> None:
        check.params(self, positive="tau0")

    def rate(self, t: ArrayLike) -> Floats:
        return np.full(np.shape(t), float(self.tau0))


@dataclass(frozen=True)
class InverseTime(Schedule):
    r"""Slow, then :math:`1/t`: :math:`\tau_t = \tau_0 / (1 + t / t_0)`.

    With ``t0 = 1`` it is :math:`\tau_0 / (1 + t)`.

    Examples
    --------
    >>> InverseTime(0.5).rate([0, 1, 4]), InverseTime(0.5, t0=4.0).rate([0, 4])
    (array([0.5 , 0.25, 0.1 ]), array([0.5 , 0.25]))
    """

    tau0: float = 1.0
    t0: float = 1.0

    def __post_init__(self) -> None:
        check.params(self, positive="tau0 t0")

    def rate(self, t: ArrayLike) -> Floats:
        return np.asarray(self.tau0 * self.t0 / (self.t0 + np.asarray(t, dtype=np.float64)))


@dataclass(frozen=True)
class PowerDecay(Schedule):
    r"""A power of time, :math:`\tau_t = \tau_0 / (1 + t)^{\text{power}}`, 3/4 by default.

    Examples
    --------
    >>> PowerDecay(1.0).rate([0, 15])
    array([1.   , 0.125])
    """

    tau0: float = 1.0
    power: float = 0.75

    def __post_init__(self) -> None:
        check.params(self, positive="tau0", nonnegative="power")

    def rate(self, t: ArrayLike) -> Floats:
        return np.asarray(self.tau0 / (1.0 + np.asarray(t, dtype=np.float64)) ** self.power)


@dataclass(frozen=True)
class StronglyConvex(Schedule):
    r"""The rate :math:`1 / (\lambda k)`, ``k = t + 1``, for objectives of curvature at least λ.

    Examples
    --------
    >>> StronglyConvex(0.5).rate([0, 1])
    array([2., 1.])
    """

    curvature: float = 1.0

    def __post_init__(self) -> None:
        check.params(self, positive="curvature")

    def rate(self, t: ArrayLike) -> Floats:
        return np.asarray(1.0 / (self.curvature * (1.0 + np.asarray(t, dtype=np.float64))))


@dataclass(frozen=True)
class Harmonic(Schedule):
    """The rate :math:`1/k`, ``k = t + 1``: under it a stochastic mean is the running mean.

    Examples
    --------
    >>> Harmonic().rate([0, 1, 3])
    array([1.  , 0.5 , 0.25])
    """

    def rate(self, t: ArrayLike) -> Floats:
        return np.asarray(1.0 / (1.0 + np.asarray(t, dtype=np.float64)))


@dataclass(frozen=True)
class RootHarmonic(Schedule):
    r"""The rate :math:`1/\sqrt k`, ``k = t + 1``.

    Examples
    --------
    >>> RootHarmonic().rate([0, 3])
    array([1. , 0.5])
    """

    def rate(self, t: ArrayLike) -> Floats:
        return np.asarray(1.0 / np.sqrt(1.0 + np.asarray(t, dtype=np.float64)))


@dataclass(frozen=True)
class DivideOnStall(Schedule):
    r"""Constant until learning stalls, then divided by ``divisor``, 10 by default.

    What counts as a stall is the solver's business; it multiplies the rate by ``stall_factor``
    each time.

    Examples
    --------
    >>> float(DivideOnStall(0.1).stall_factor)
    0.1
    """

    tau0: float = 0.01
    divisor: float = 10.0

    def __post_init__(self) -> None:
        check.params(self, positive="tau0 divisor")
        if self.divisor <= 1:
            raise check.fail(self, "divisor", "above 1", self.divisor)

    @property
    def stall_factor(self) -> float:  # type: ignore[override]
        """One over ``divisor``."""
        return 1.0 / self.divisor

    def rate(self, t: ArrayLike) -> Floats:
        return np.full(np.shape(t), float(self.tau0))


@dataclass(frozen=True)
class PassiveAggressive(Schedule):
    r"""Steps just as long as the loss :math:`\ell` of their row asks for.

    Along the gradient of one row :math:`x`, of length :math:`\min(C, \ell/\|x\|^2)`, or damped,
    :math:`\ell / (\|x\|^2 + 1/(2C))`: no step where the row costs nothing, else the least change of
    the weights that makes it cost nothing, as far as ``C`` lets it. For losses whose slope is 1
    where they are not zero: hinge and insensitive. Other methods than :class:`SGD` take ``C`` as a
    constant length.

    Parameters
    ----------
    limit : float
        :math:`C`, above 0.
    damped : bool
        Whether :math:`C` damps the steps instead of ending them.

    References
    ----------
    Crammer, Dekel, Keshet, Shalev-Shwartz, Singer, Online passive-aggressive algorithms, 2006.

    Examples
    --------
    >>> PassiveAggressive(0.5).rate([0, 10]), PassiveAggressive(0.5, damped=True).passive
    (array([0.5, 0.5]), 2)
    """

    limit: float = 1.0
    damped: bool = False

    def __post_init__(self) -> None:
        check.params(self, positive="limit", flag="damped")

    @property
    def passive(self) -> int:
        """2 where damped, else 1."""
        return 2 if self.damped else 1

    def rate(self, t: ArrayLike) -> Floats:
        return np.full(np.shape(t), float(self.limit))
