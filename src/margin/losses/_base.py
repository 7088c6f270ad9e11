"""The contract of a loss."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from margin.core import check
from margin.core.types import Floats


def floats(owner: object, name: str, value: Any) -> Floats:
    """Numbers in double precision, lists too; what is no number is refused by name."""
    if type(value) is np.ndarray and value.dtype == np.float64:
        return value
    try:
        return np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise check.fail(owner, name, "numbers", value) from error


def score_rows(owner: object, z: Any, y: Any) -> tuple[Floats, NDArray[np.int64]]:
    """Rows of class scores and the places of the classes, refused by name where they are none."""
    scores = floats(owner, "z", z)
    if scores.ndim != 2:
        raise check.fail(owner, "z", "rows of class scores, of shape (n, K)", scores.shape)
    given = np.asarray(y)
    rows, most = scores.shape
    whole = given.dtype.kind in "iub" and given.shape == (rows,)
    if not whole or (rows and (given.min() < 0 or given.max() >= most)):
        raise check.fail(owner, "y", f"{rows} whole numbers from 0 to {most - 1}", y)
    return scores, given.astype(np.int64, copy=False)


class Loss(ABC):
    r"""A loss :math:`\ell(z, y) \ge 0` of a raw prediction ``z`` and a target ``y`` (losses.01).

    A subclass is a frozen dataclass in a file of its own that gives three vectorised methods and
    states what may be relied on. Solvers read the flags and refuse what they cannot minimise.

    Attributes
    ----------
    form : {"margin", "residual", "classes", "counts"}
        Depends on ``y z``, on ``z - y``, on a row of class scores, or on a link of ``z`` and a
        target of at least zero.
    convex, differentiable : bool
        In ``z``.
    piecewise_constant : bool
        Whether the slope is zero wherever it exists and says nothing; solvers refuse such a loss.
    smoothness : float
        Largest curvature in ``z`` (Lipschitz constant of the slope), ``inf`` if there is none.
    bounds_zero_one : bool
        Whether the loss is nowhere below the 0-1 loss of the sign of ``z``.
    quadratic : bool
        Whether the loss is :math:`\tfrac12 (z - y)^2`, so that solvers may use linear algebra.
    has_conjugate : bool
        Whether :meth:`conjugate` is given, so that duality gaps are known.
    states_hessian : bool
        Whether a loss of several scores has the Hessian :math:`\operatorname{diag}(p) - p p^\top`
        with :math:`p` its slope plus one at the class.
    native_id : int or None
        Number of the compiled kernel, if there is one.
    """

    form: ClassVar[Literal["margin", "residual", "classes", "counts"]]
    convex: ClassVar[bool] = True
    differentiable: ClassVar[bool] = True
    piecewise_constant: ClassVar[bool] = False
    smoothness: ClassVar[float] = np.inf
    bounds_zero_one: ClassVar[bool] = False
    quadratic: ClassVar[bool] = False
    has_conjugate: ClassVar[bool] = False
    states_hessian: ClassVar[bool] = False
    native_id: ClassVar[int | None] = None

    @abstractmethod
    def value(self, z: Floats, y: NDArray[Any]) -> Floats:
        """Loss of each prediction."""

    @abstractmethod
    def slope(self, z: Floats, y: NDArray[Any]) -> Floats:
        """Derivative in ``z``, or one subgradient where the loss has a kink."""

    @abstractmethod
    def curvature(self, z: Floats, y: NDArray[Any]) -> Floats:
        """Second derivative in ``z`` where it exists, zero at kinks."""

    def targets(self, y: Any) -> NDArray[Any]:
        """Targets in the coding that the formulas use; refused if they are none of this loss.

        Losses of the margin take labels 0/1 and -1/+1; solvers ask once, before any work.
        """
        if self.form == "classes":
            return np.asarray(y, dtype=np.int64)
        return floats(self, "y", y)

    def conjugate(self, slope: Any, y: Any) -> Floats:
        r"""Convex conjugate :math:`\ell^*(u, y) = \sup_z u z - \ell(z, y)` of each slope ``u``.

        By it the dual value of a linear model, and the gap to it, is known. Infinite where no
        score has that slope. Only losses with ``has_conjugate`` give it.
        """
        raise NotImplementedError(f"{type(self).__name__} gives no conjugate")

    def _residual(self, z: Any, y: Any) -> Floats:
        return floats(self, "z", z) - floats(self, "y", y)

    def gain(self, z: Floats, y: NDArray[Any]) -> Floats:
        """Gain of each prediction, at most zero: maximising it is minimising the loss."""
        return -self.value(z, y)

    def sweep(
        self,
        z: Floats,
        y: NDArray[Any],
        weight: Floats | None,
        *,
        curvature: bool = False,
        n_threads: int = 1,
    ) -> tuple[float, Floats, Floats | None]:
        """Weighted sum of the losses with weighted slopes and, on request, curvatures."""
        value, slope = self.value(z, y), self.slope(z, y)
        bend = self.curvature(z, y) if curvature else None
        if weight is None:
            return float(np.sum(value)), slope, bend
        column = weight if slope.ndim == 1 else weight[:, None]
        return (
            float(weight @ value),
            column * slope,
            None if bend is None else column * bend,
        )
