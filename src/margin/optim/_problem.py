"""What a solver may ask of an objective."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from margin.core.types import Floats


@dataclass(frozen=True)
class Expansion:
    """The objective around one point: value, gradient and, when asked, curvature on demand.

    Parameters
    ----------
    value : float
    gradient : ndarray of shape (d,)
        Gradient or, where the objective has kinks, its subgradient of least norm: zero at a
        minimum, so its largest entry is the certificate of every solver.
    smooth_value, smooth_gradient : float and ndarray, optional
        Value and gradient of the differentiable part, for proximal steps.
    hessian : callable, optional
        Gives the matrix of second derivatives; the work is done when it is called.
    hessian_product : callable, optional
        Gives the Hessian times a vector.
    newton : callable, optional
        Gives Newton's step in one go, or ``None`` where the Hessian must be looked at.
    """

    value: float
    gradient: Floats
    smooth_value: float | None = None
    smooth_gradient: Floats | None = None
    hessian: Callable[[], Floats] | None = None
    hessian_product: Callable[[Floats], Floats] | None = None
    newton: Callable[[], Floats | None] | None = None


class Problem(ABC):
    """An objective to be minimised over a vector.

    Attributes
    ----------
    dimension : int
        Length of the vector.
    provides : frozenset of str
        What a solver may rely on: ``"gradient"`` (differentiable everywhere), ``"hessian"``,
        ``"hessian_product"``, ``"prox"`` (a smooth part and a proximal step), ``"subgradient"``
        (convex), ``"rows"`` (a sum over rows), ``"columns"`` (a linear model). Solvers are held
        against it before any work.
    """

    dimension: int
    provides: frozenset[str]

    @abstractmethod
    def expand(self, x: Floats, *, second_order: bool = False) -> Expansion:
        """Value and gradient at ``x``; with ``second_order`` also what ``provides`` promises."""

    def prox(self, x: Floats, step: float) -> Floats:
        """Proximal step of the part with kinks; the identity where there is none."""
        return x


@dataclass(frozen=True)
class Function(Problem):
    """A problem made of plain functions.

    Parameters
    ----------
    value_and_gradient : callable
        ``x -> (value, gradient)``.
    dimension : int
        Length of ``x``.
    hessian : callable, optional
        ``x -> matrix``.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.optim import Newton, minimise
    >>> A, b = np.diag([1.0, 10.0]), np.array([1.0, 1.0])
    >>> bowl = Function(lambda x: (0.5 * x @ A @ x - b @ x, A @ x - b), 2, lambda x: A)
    >>> minimise(bowl, Newton()).x
    array([1. , 0.1])
    """

    value_and_gradient: Callable[[Floats], tuple[float, Floats]]
    dimension: int
    hessian: Callable[[Floats], Floats] | None = None

    @property
    def provides(self) -> frozenset[str]:  # type: ignore[override]
        """A gradient, and second-order information if a Hessian was given."""
        extra = () if self.hessian is None else ("hessian", "hessian_product")
        return frozenset({"gradient", "prox", "subgradient", *extra})

    def expand(self, x: Floats, *, second_order: bool = False) -> Expansion:
        raw, slope = self.value_and_gradient(x)
        value, gradient = float(raw), np.asarray(slope, dtype=np.float64)
        hessian = self.hessian
        if not second_order or hessian is None:
            return Expansion(value, gradient, value, gradient)
        return Expansion(
            value,
            gradient,
            value,
            gradient,
            hessian=lambda: hessian(x),
            hessian_product=lambda v: hessian(x) @ v,
        )
