"""The cardinal function of a kernel."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.kernels._base import Floats, Kernel
from margin.linalg import cholesky


@dataclass(frozen=True, eq=False)
class CardinalFunctions:
    r"""The interpolators :math:`c(x) = k(x, X)\, K^{-1}` of a kernel: see :func:`cardinal`.

    Parameters
    ----------
    kernel : Kernel
        What they are made from.
    points : objects
        The nodes.
    inverse : ndarray of shape (n, n)
        Columns of coefficients, one function each.
    repair : str
        What was done to the kernel matrix to make it definite; empty if nothing.
    """

    kernel: Kernel
    points: Any
    inverse: NDArray[np.float64]
    repair: str = ""

    def __call__(self, X: Any) -> Floats:
        """Values of all functions, of shape ``(m, n)``: one row of weights per object."""
        return self.kernel(X, self.points) @ self.inverse


def cardinal(kernel: Kernel, points: Any) -> CardinalFunctions:
    r"""Functions that are one at a node and zero at all others (kernels.17).

    .. math:: c_j(x) = \sum_i k(x, x_i)\, (K^{-1})_{ij}, \qquad c_j(x_i) = [i = j].

    The interpolant of values ``y`` is :math:`\sum_j y_j c_j(x)`, for Gaussian processes the mean.
    For a kernel that is cardinal on a grid, as sinc, it is the kernel itself.

    Parameters
    ----------
    kernel : Kernel
        A positive-definite kernel.
    points : objects
        The nodes, all different.

    Examples
    --------
    >>> import numpy as np
    >>> from margin.kernels import BSpline
    >>> nodes = np.arange(7.0)[:, None]
    >>> spline = cardinal(BSpline(degree=3), nodes)
    >>> spline([[3.0]]).round(6) + 0.0
    array([[0., 0., 0., 1., 0., 0., 0.]])
    >>> spline([[3.5]])[0, 2:5].round(3)
    array([-0.127,  0.601,  0.6  ])
    """
    factor = cholesky(kernel(points), name=f"matrix of {kernel}")
    inverse = factor.solve(np.eye(len(factor.lower)))
    return CardinalFunctions(kernel, points, inverse, factor.repair)
