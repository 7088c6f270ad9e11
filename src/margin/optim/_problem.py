"""What a solver may ask of an objective."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from margin.core import check
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

    def __post_init__(self) -> None:
        function: Any = self.value_and_gradient
        if not callable(function):
            need = "a function x -> (value, gradient)"
            raise check.fail(self, "value_and_gradient", need, function)
        length: Any = self.dimension
        whole = isinstance(length, int | np.integer) and not isinstance(length, bool)
        if not whole or length < 0:
            raise check.fail(self, "dimension", "an integer, the length of x", length)
        if self.hessian is not None and not callable(self.hessian):
            raise check.fail(self, "hessian", "a function x -> matrix", self.hessian)

    @property
    def provides(self) -> frozenset[str]:  # type: ignore[override]
        """A gradient, and second-order information if a Hessian was given."""
        extra = () if self.hessian is None else ("hessian", "hessian_product")
        return frozenset({"gradient", "prox", "subgradient", *extra})

    def expand(self, x: Floats, *, second_order: bool = False) -> Expansion:
        value, gradient = self._answer(x)
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

    def _answer(self, x: Floats) -> tuple[float, Floats]:
        answer = self.value_and_gradient(x)
        try:
            raw, slope = answer
            value, gradient = float(raw), np.asarray(slope, dtype=np.float64)
        except (TypeError, ValueError):
            need = "a function x -> (value, gradient)"
            raise check.fail(self, "value_and_gradient", need, answer) from None
        if gradient.shape != (self.dimension,):
            need = f"a function whose gradient has the shape ({self.dimension},)"
            raise check.fail(self, "value_and_gradient", need, gradient.shape)
        return value, gradient
