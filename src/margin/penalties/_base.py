"""The contract of a penalty."""

from abc import ABC, abstractmethod
from typing import ClassVar

from margin.core.types import Floats


class Penalty(ABC):
    r"""A regulariser :math:`J(w) \ge 0` of a coefficient array.

    A subclass is a frozen dataclass in a file of its own. Solvers read the flags: a smooth penalty
    gives ``gradient`` and ``curvature``, every penalty gives its proximal operator.

    Attributes
    ----------
    convex, smooth : bool
        Smooth means differentiable everywhere.
    separable : bool
        Whether :math:`J` is a sum over coordinates.
    finite : bool
        Whether :math:`J` is finite everywhere; false for a constraint.
    """

    convex: ClassVar[bool] = True
    smooth: ClassVar[bool]
    separable: ClassVar[bool] = True
    finite: ClassVar[bool] = True

    @property
    def elastic(self) -> tuple[float, float] | None:
        r"""Strengths of :math:`J(w) = \lambda_1 \|w\|_1 + \tfrac{\lambda_2}2 \|w\|^2`, or none."""
        return None

    @property
    def quadratic_form(self) -> tuple[float, Floats | None] | None:
        r"""Strength and matrix where :math:`J(w) = \tfrac\alpha2 w^\top \Omega w`, else none.

        No matrix stands for the identity.
        """
        return None

    @abstractmethod
    def value(self, w: Floats) -> float:
        """Penalty of the coefficients."""

    @abstractmethod
    def gradient(self, w: Floats) -> Floats:
        """Gradient, or one subgradient where there is a kink."""

    def least_subgradient(self, w: Floats, slope: Floats) -> Floats:
        r"""Element of least norm of :math:`\mathrm{slope} + \partial J(w)`.

        With the gradient of a smooth loss as ``slope``, it vanishes exactly at a minimum of the
        sum, so its size is a certificate of optimality. A penalty with kinks overrides it.
        """
        return slope + self.gradient(w)

    @abstractmethod
    def curvature(self, w: Floats) -> Floats:
        """Diagonal of the second derivative where it exists, zero at kinks."""

    def hessian_product(self, w: Floats, direction: Floats) -> Floats:
        """Second derivative times ``direction``; a penalty that is not separable overrides it."""
        return self.curvature(w) * direction

    @abstractmethod
    def prox(self, w: Floats, step: float) -> Floats:
        r"""Proximal point :math:`\arg\min_u J(u) + \|u - w\|^2 / (2\,\mathrm{step})`."""
