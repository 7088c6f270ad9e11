"""Softmax cross-entropy."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax, softmax

from margin.core.types import Floats
from margin.losses._base import Loss, score_rows
from margin.native.rows import losses as native


@dataclass(frozen=True)
class Softmax(Loss):
    r"""Negative log-likelihood of a softmax over rows of class scores (losses.12).

    For scores :math:`z \in \mathbb R^K` and the class :math:`c`,

    .. math:: \ell(z, c) = \log \sum_k e^{z_k} - z_c .

    The slope is :math:`\operatorname{softmax}(z) - e_c`; ``curvature`` is the diagonal
    :math:`p_k (1 - p_k)` of the Hessian :math:`\operatorname{diag}(p) - p p^\top`.

    Examples
    --------
    >>> import numpy as np
    >>> Softmax().value(np.zeros((1, 4)), np.array([2])).round(6)
    array([1.386294])
    """

    form: ClassVar[Literal["classes"]] = "classes"
    smoothness: ClassVar[float] = 0.5
    states_hessian: ClassVar[bool] = True

    def value(self, z: Floats, y: NDArray[Any]) -> Floats:
        z, y = score_rows(self, z, y)
        return -np.take_along_axis(log_softmax(z, axis=1), y[:, None], axis=1)[:, 0]

    def slope(self, z: Floats, y: NDArray[Any]) -> Floats:
        z, y = score_rows(self, z, y)
        slope = softmax(z, axis=1)
        slope[np.arange(len(y)), y] -= 1
        return np.asarray(slope)

    def curvature(self, z: Floats, y: NDArray[Any]) -> Floats:
        z, y = score_rows(self, z, y)
        p = softmax(z, axis=1)
        return np.asarray(p * (1 - p))

    def sweep(
        self,
        z: Floats,
        y: NDArray[Any],
        weight: Floats | None,
        *,
        curvature: bool = False,
        n_threads: int = 1,
    ) -> tuple[float, Floats, Floats | None]:
        slope = np.empty_like(z)
        p = np.empty_like(z) if curvature else None
        value = native.softmax_sweep(z, y, weight, slope, p, n_threads)
        if p is None:
            return value, slope, None
        bend = p * (1 - p)
        return value, slope, bend if weight is None else weight[:, None] * bend
