"""Norm of a function in a reproducing-kernel Hilbert space."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from margin.core.types import Floats
from margin.penalties._base import Penalty
from margin.penalties._quadratic import Quadratic


@dataclass(frozen=True, eq=False)
class RKHS(Penalty):
    r"""Half the squared norm of :math:`f = \sum_i w_i\, k(x_i, \cdot)` (penalties.06).

    .. math:: J(w) = \tfrac\alpha2 \|f\|^2_{\mathcal H} = \tfrac\alpha2\, w^\top K w,
        \qquad K_{ij} = k(x_i, x_j).

    By the representer theorem the minimiser of any loss of the values :math:`f(x_i)` plus an
    increasing function of this norm has that form, so a kernel machine is a linear model of the
    columns of ``K`` with this penalty.

    Parameters
    ----------
    gram : array-like of shape (n, n)
        Kernel matrix of the rows, symmetric and positive semi-definite.
    alpha : float
        Strength, at least 0.

    Examples
    --------
    For a linear kernel it is the ridge penalty of :math:`\beta = X^\top w`:

    >>> import numpy as np
    >>> X, w = np.array([[1.0, 0.0], [1.0, 2.0]]), np.array([1.0, 2.0])
    >>> RKHS(X @ X.T).value(w), 0.5 * float(np.sum((X.T @ w) ** 2))
    (12.5, 12.5)
    """

    gram: Any
    alpha: float = 1.0
    smooth: ClassVar[bool] = True
    separable: ClassVar[bool] = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "gram", self._form.omega)

    @cached_property
    def _form(self) -> Quadratic:
        try:
            return Quadratic(self.gram, self.alpha)
        except ValueError as error:
            text = str(error).replace("Quadratic: ", "RKHS: ").replace("omega", "gram")
            raise ValueError(text) from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RKHS) and self._form == other._form

    def __hash__(self) -> int:
        return hash((RKHS, self._form))

    def norm(self, w: Floats) -> float:
        """Norm of the function with these coefficients."""
        return float(np.sqrt(max(float(np.vdot(w, self.gram @ w)), 0.0)))

    @property
    def quadratic_form(self) -> tuple[float, Floats]:
        """The kernel matrix."""
        return float(self.alpha), self.gram

    def value(self, w: Floats) -> float:
        return self._form.value(w)

    def gradient(self, w: Floats) -> Floats:
        return self._form.gradient(w)

    def curvature(self, w: Floats) -> Floats:
        return self._form.curvature(w)

    def hessian_product(self, w: Floats, direction: Floats) -> Floats:
        return self._form.hessian_product(w, direction)

    def prox(self, w: Floats, step: float) -> Floats:
        return self._form.prox(w, step)
