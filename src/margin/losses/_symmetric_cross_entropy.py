"""Symmetric multi-class cross-entropy."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax, softmax

from margin.losses._base import Floats, Loss


@dataclass(frozen=True)
class SymmetricCrossEntropy(Loss):
    r"""Sum of one binary cross-entropy per class, on the outputs of a softmax (losses.13).

    With :math:`p = \operatorname{softmax}(z)` and the class :math:`c`,

    .. math:: \ell(z, c) = -\log p_c - \sum_{k \ne c} \log(1 - p_k) .

    Besides raising the right class it pushes every wrong one down. For two classes it is exactly
    twice the ordinary cross-entropy; for more it is not convex. With the Jacobian
    :math:`\partial p_j / \partial z_k = p_j (1[j = k] - p_k)` the slope is
    :math:`p_k (1 - R) - 1[k = c] + 1[k \ne c]\, r_k (1 - p_k) \ldots`, in short

    .. math:: \frac{\partial \ell}{\partial z_k} = 1[k \ne c]\, r_k - 1[k = c] + p_k - p_k R,
        \qquad r_k = \frac{p_k}{1 - p_k}, \quad R = \sum_{j \ne c} r_j,

    which sums to zero over the classes. ``curvature`` is the diagonal of its Hessian.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.losses import Softmax
    >>> z, c = np.array([[0.3, -1.0]]), np.array([0])
    >>> float((SymmetricCrossEntropy().value(z, c) / Softmax().value(z, c))[0].round(12))
    2.0
    """

    form: ClassVar[Literal["classes"]] = "classes"
    convex: ClassVar[bool] = False
    smoothness: ClassVar[float] = 1.5

    def value(self, z: Floats, y: NDArray[Any]) -> Floats:
        rows = np.arange(len(y))
        wrong = -_log_complement(z)
        wrong[rows, y] = 0.0
        return np.asarray(wrong.sum(axis=1) - log_softmax(z, axis=1)[rows, y])
