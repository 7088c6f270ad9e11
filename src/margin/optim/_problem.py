"""What a solver may ask of an objective."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Expansion:
    """The objective around one point: value, gradient and, when asked, curvature on demand.

    Parameters
    ----------
    value : float
    gradient : ndarray of shape (d,)
    hessian : callable, optional
        Gives the matrix of second derivatives; the work is done when it is called.
    hessian_product : callable, optional
        Gives the Hessian times a vector.
    """

    value: float
    gradient: Floats
    hessian: Callable[[], Floats] | None = None
    hessian_product: Callable[[Floats], Floats] | None = None


class Problem(ABC):
    """An objective to be minimised over a vector.

    Attributes
    ----------
    dimension : int
        Length of the vector.
    provides : frozenset of str
        What :meth:`expand` can give beyond value and gradient: ``"hessian"``,
        ``"hessian_product"``. Solvers are held against it before any work.
    """

    dimension: int
    provides: frozenset[str]

    @abstractmethod
    def expand(self, x: Floats, *, second_order: bool = False) -> Expansion:
        """Value and gradient at ``x``; with ``second_order`` also what ``provides`` promises."""


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
        """Second-order information if a Hessian was given."""
        return frozenset() if self.hessian is None else frozenset({"hessian", "hessian_product"})

    def expand(self, x: Floats, *, second_order: bool = False) -> Expansion:
        value, gradient = self.value_and_gradient(x)
        hessian = self.hessian
        if not second_order or hessian is None:
            return Expansion(float(value), np.asarray(gradient, dtype=np.float64))
        return Expansion(
            float(value),
            np.asarray(gradient, dtype=np.float64),
            hessian=lambda: hessian(x),
            hessian_product=lambda v: hessian(x) @ v,
        )
