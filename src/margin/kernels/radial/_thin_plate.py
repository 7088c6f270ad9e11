"""The thin-plate function."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from margin.kernels._base import Definite, Floats
from margin.kernels.vectors._distances import squared_distances
from margin.kernels.vectors._vectors import VectorKernel


@dataclass(frozen=True)
class ThinPlate(VectorKernel):
    r"""The thin-plate function :math:`r^2 \log r`, conditionally positive definite (kernels.11).

    Its matrices are indefinite, but :math:`a^\top K a \ge 0` for all coefficients with
    :math:`\sum_i a_i = 0` and :math:`\sum_i a_i x_i = 0`: a machine must add the affine functions
    without a penalty. It has no bandwidth: stretching the table changes it by such functions only.
    :func:`check_conditionally_psd` verifies it.

    Examples
    --------
    >>> import numpy as np
    >>> ThinPlate()([[0.0, 0.0]], [[np.e, 0.0], [1.0, 0.0], [0.0, 0.0]]).round(6)
    array([[7.389056, 0.      , 0.      ]])
    """

    definite: ClassVar[Definite] = "conditional"
    takes_sparse = True

    @property
    def stationary(self) -> bool:
        """True: the diagonal is zero."""
        return True

    def _matrix(self, X: Any, Z: Any, n_threads: int) -> Floats:
        s = squared_distances(X, Z, n_threads=n_threads)
        return np.asarray(0.5 * s * np.log(np.where(s > 0, s, 1.0)), dtype=s.dtype)

    def _diagonal(self, X: Any) -> Floats:
        return np.zeros(X.shape[0], dtype=X.dtype)
