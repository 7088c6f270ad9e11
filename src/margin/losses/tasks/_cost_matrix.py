"""Misclassifications of unequal price."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from margin.core import check
from margin.core.types import Floats
from margin.losses._base import Loss


@dataclass(frozen=True)
class CostMatrix(Loss):
    r"""Price :math:`L_{y, \hat y}` of deciding :math:`\hat y` when the class is :math:`y`.

    The asymmetric 0-1 loss (losses.04): the decision of a row of class scores is
    :math:`\hat y = \arg\max_k z_k`, and :math:`\ell(z, y) = L_{y, \hat y}`. Like the 0-1 loss it
    is piecewise constant, and solvers refuse it: fit probabilities first, then :meth:`decide`.

    Parameters
    ----------
    costs : sequence of sequences of float
        One row per true class, one column per decision (there may be more decisions than
        classes, "don't know" for instance); none below 0.

    Examples
    --------
    Missing an illness is ten times worse than a false alarm, so 20 % is enough to act:

    >>> import numpy as np
    >>> price = CostMatrix([[0, 1], [10, 0]])
    >>> price.decide(np.array([[0.8, 0.2], [0.95, 0.05]]))
    array([1, 0])
    >>> price.risk(np.array([[0.8, 0.2]]))
    array([[2. , 0.8]])
    """

    costs: Any
    form: ClassVar[Literal["classes"]] = "classes"
    convex: ClassVar[bool] = False
    differentiable: ClassVar[bool] = False
    piecewise_constant: ClassVar[bool] = True

    def __post_init__(self) -> None:
        matrix = np.asarray(self.costs, dtype=np.float64)
        if matrix.ndim != 2 or not np.isfinite(matrix).all() or matrix.min(initial=0.0) < 0:
            raise check.fail(self, "costs", "a matrix of finite numbers of at least 0", self.costs)
        object.__setattr__(self, "costs", tuple(map(tuple, matrix.tolist())))

    @classmethod
    def symmetric(cls, n_classes: int) -> "CostMatrix":
        """One for every error: the 0-1 loss of several classes."""
        return cls(1.0 - np.eye(n_classes))

    def value(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.asarray(np.array(self.costs)[y, np.argmax(z, axis=1)])

    def slope(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.zeros_like(z)

    def curvature(self, z: Floats, y: NDArray[Any]) -> Floats:
        return np.zeros_like(z)

    def risk(self, probability: Floats) -> Floats:
        r"""Expected price :math:`\sum_y L_{y, \hat y}\, p(y \mid x)` of every decision."""
        return np.asarray(probability @ np.array(self.costs))

    def decide(self, probability: Floats) -> NDArray[np.intp]:
        """Decision of least expected price for each row of class probabilities."""
        return np.asarray(np.argmin(self.risk(probability), axis=1))
