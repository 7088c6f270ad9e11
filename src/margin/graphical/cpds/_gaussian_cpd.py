"""Continuous nodes: linear in their continuous parents, any function of their discrete ones."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar

import numpy as np

from margin.core.types import Floats
from margin.graphical.cpds._cpd import CPD, named


class GaussianCPD(CPD):
    """A normal node: intercept, weights and variance for each state of its discrete parents."""

    discrete: ClassVar[bool] = False
    intercept: Any
    coef: Any
    variance: Any

    @abstractmethod
    def __post_init__(self) -> None:
        """Check the shapes and freeze."""

    def n_parameters(self, card: int, parent_cards: Sequence[int]) -> int:
        """Intercept, one weight per continuous parent and variance, per discrete configuration.

        ``card`` counts the continuous parents, ``parent_cards`` those of the discrete ones.
        """
        return (card + 2) * prod(parent_cards)

    def arrays(
        self, label: str, discrete: Sequence[int], n_continuous: int
    ) -> tuple[Floats, Floats, Floats]:
        """Intercept, weights and variance of every configuration of the discrete parents."""
        shape = tuple(discrete)
        try:
            intercept = np.broadcast_to(self.intercept, shape)
            variance = np.broadcast_to(self.variance, shape)
            coef = np.broadcast_to(self.coef, (*shape, n_continuous))
        except ValueError:
            raise ValueError(
                f"{label} must have intercept and variance of shape {shape} and coef of shape "
                f"{(*shape, n_continuous)}, got {np.shape(self.intercept)}, "
                f"{np.shape(self.variance)} and {np.shape(self.coef)}"
            ) from None
        return intercept, coef, variance

    def _freeze(self) -> None:
        for name in ("intercept", "coef", "variance"):
            value = np.array(getattr(self, name), dtype=np.float64)
            if not np.isfinite(value).all():
                raise ValueError(f"{type(self).__name__}: {name} must be finite, got {value}")
            value.flags.writeable = False
            object.__setattr__(self, name, value)
        if self.variance.size and self.variance.min() < 0:
            raise ValueError(
                f"{type(self).__name__}: variance must be at least 0, got {self.variance.min()}"
            )
        object.__setattr__(self, "parents", named(self.parents))


@dataclass(frozen=True, eq=False)
class LinearGaussianCPD(GaussianCPD):
    r"""Structural equation :math:`x = b + w^\top u + \epsilon`, :math:`\epsilon \sim N(0, s^2)`.

    Serves graphical.20 with :class:`ConditionalGaussianCPD`: continuous nodes by regression on
    their parents.

    Parameters
    ----------
    intercept : float, default=0.0
        Mean :math:`b` where all parents are zero.
    coef : array-like of shape (n_parents,), default=()
        Weights :math:`w` of the parents, which are continuous.
    variance : float, default=1.0
        Variance :math:`s^2` of the noise; 0 makes the equation exact.
    parents : sequence of str, optional
        Order of the parents; that of the edges by default.

    Examples
    --------
    >>> LinearGaussianCPD(1.0, coef=[2.0], variance=0.5).n_parameters(1, [])
    3
    """

    intercept: Any = 0.0
    coef: Any = ()
    variance: Any = 1.0
    parents: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        self._freeze()
        for name, ndim in (("intercept", 0), ("coef", 1), ("variance", 0)):
            value = getattr(self, name)
            if value.ndim != ndim:
                kind = "a vector" if ndim else "a number"
                raise ValueError(f"LinearGaussianCPD: {name} must be {kind}, got {value.tolist()}")


@dataclass(frozen=True, eq=False)
class ConditionalGaussianCPD(GaussianCPD):
    r"""Normal node with a regression for each state :math:`d` of its discrete parents.

    .. math:: x \mid d, u \sim N(b_d + w_d^\top u, s_d^2)

    Parameters
    ----------
    intercept : array-like of one number per discrete configuration
        Intercepts :math:`b_d`.
    coef : array-like with one row per discrete configuration, default=()
        Weights :math:`w_d` of the continuous parents.
    variance : array-like, broadcast to the shape of ``intercept``, default=1.0
        Variances :math:`s_d^2`.
    parents : sequence of str, optional
        Order of the parents, discrete and continuous; that of the edges by default.

    Examples
    --------
    >>> ConditionalGaussianCPD([0.0, 3.0], variance=[1.0, 4.0]).n_parameters(0, [2])
    4
    """

    intercept: Any
    coef: Any = ()
    variance: Any = 1.0
    parents: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        self._freeze()
