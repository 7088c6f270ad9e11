"""Symmetric multi-class cross-entropy."""

from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_softmax, softmax

from margin.core.types import Floats
from margin.losses._base import Loss, score_rows


@dataclass(frozen=True)
class SymmetricCrossEntropy(Loss):
    r"""Sum of one binary cross-entropy per class, on the outputs of a softmax (losses.13).

    With :math:`p = \operatorname{softmax}(z)` and the class :math:`c`,

    .. math:: \ell(z, c) = -\log p_c - \sum_{k \ne c} \log(1 - p_k) .

    Besides raising the right class it pushes every wrong one down. For two classes it is exactly
    twice the ordinary cross-entropy; for more it is not convex. With the Jacobian
    :math:`\partial p_j / \partial z_k = p_j (1[j = k] - p_k)` the slope is

    .. math:: \frac{\partial \ell}{\partial z_j} = (1 + 1[j \ne c])\, p_j - 1[j = c]
        - \sum_{k \ne c, j} p_k q_{kj}, \qquad q_{kj} = \frac{p_j}{1 - p_k},

    which sums to zero over the classes. ``curvature`` is the diagonal of its Hessian,
    :math:`K p_j (1 - p_j) - \sum_{k \ne c, j} q_{kj} (1 - q_{kj})` for :math:`K` classes.

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
        z, y = score_rows(self, z, y)
        rows = np.arange(len(y))
        wrong = -_log_complement(z)
        wrong[rows, y] = 0.0
        return np.asarray(wrong.sum(axis=1) - log_softmax(z, axis=1)[rows, y])

    def slope(self, z: Floats, y: NDArray[Any]) -> Floats:
        z, y = score_rows(self, z, y)
        rows = np.arange(len(y))
        p = softmax(z, axis=1)
        pull = np.einsum("nk,nkj->nj", p, _without(z, y))
        slope = 2.0 * p - pull
        slope[rows, y] -= 1.0 + p[rows, y]
        return np.asarray(slope)

    def curvature(self, z: Floats, y: NDArray[Any]) -> Floats:
        z, y = score_rows(self, z, y)
        p, q = softmax(z, axis=1), _without(z, y)
        return np.asarray(z.shape[1] * p * (1.0 - p) - (q * (1.0 - q)).sum(axis=1))


def _log_complement(z: Floats) -> Floats:
    """``log(1 - p)`` of every class, accurate also where ``p`` rounds to one."""
    log_p = log_softmax(z, axis=1)
    rows, top = np.arange(len(z)), log_p.argmax(axis=1)
    others = log_p.copy()
    others[rows, top] = -np.inf
    largest = others.max(axis=1, initial=-1e300)
    log_p[rows, top] = -1.0
    complement = np.log1p(-np.exp(log_p))
    complement[rows, top] = largest + np.log(np.exp(others - largest[:, None]).sum(axis=1))
    return np.asarray(complement)


def _without(z: Floats, y: NDArray[Any]) -> Floats:
    """At ``[:, k, j]`` the probability of ``j`` were ``k`` impossible; zero if ``k`` is y or j."""
    n, n_classes = z.shape
    exponent = log_softmax(z, axis=1)[:, None, :] - _log_complement(z)[:, :, None]
    each = np.arange(n_classes)
    exponent[:, each, each] = -np.inf
    exponent[np.arange(n), y, :] = -np.inf
    return np.asarray(np.exp(exponent))
