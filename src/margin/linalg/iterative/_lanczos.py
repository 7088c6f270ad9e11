"""Functions of a large matrix from small tridiagonal ones."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh_tridiagonal

from margin.core import FitError
from margin.core.types import Floats
from margin.linalg.iterative._block_conjugate_gradient import BlockSolution


@dataclass(frozen=True, eq=False)
class TraceEstimate:
    """A trace by random probes.

    Parameters
    ----------
    value : float
        Mean over the probes.
    standard_error : float
        Of the mean; NaN for a single probe.
    samples : ndarray of shape (t,)
        What each probe says.
    """

    value: float
    standard_error: float
    samples: Floats


def gauss_quadrature(
    diagonal: Floats, off_diagonal: Floats, function: Callable[[Floats], Floats]
) -> float:
    r""":math:`e_1^\top f(T) e_1` of a tridiagonal ``T``: Gauss quadrature by Lanczos (linalg.09).

    Exact for polynomials ``f`` of degree below twice the order of ``T``.

    Parameters
    ----------
    diagonal, off_diagonal : ndarray of shape (m,) and (m - 1,)
        Lanczos matrix.
    function : callable
        ``f`` of an array of eigenvalues.

    Examples
    --------
    >>> import numpy as np
    >>> round(gauss_quadrature(np.array([4.0, 3.0]), np.array([1.0]), lambda t: t**2), 12)
    17.0
    """
    if not len(diagonal):
        return 0.0
    values, vectors = eigh_tridiagonal(diagonal, off_diagonal)
    return float(vectors[0] ** 2 @ function(values))


def log_det_ratio(solution: BlockSolution, columns: slice) -> TraceEstimate:
    r"""Estimate of :math:`\log\det A - \log\det M` from conjugate gradients (linalg.09).

    For right-hand sides :math:`z \sim N(0, M)` the expectation of
    :math:`z^\top M^{-1/2} \log(M^{-1/2} A M^{-1/2}) M^{-1/2} z` is that number, and the Lanczos
    matrix of the column evaluates it. The closer the preconditioner ``M`` is to ``A`` the smaller
    is the error; it is zero where both are the same.

    Parameters
    ----------
    found : BlockSolution
        Solution with preconditioner ``M``.
    columns : slice
        Which of its columns are probes.

    References
    ----------
    Ubaru, Chen and Saad (2017), Fast estimation of tr(f(A)) via stochastic Lanczos quadrature.
    Gardner et al. (2018), GPyTorch: blackbox matrix-matrix Gaussian process inference.
    """
    which = range(*columns.indices(solution.x.shape[1]))
    samples = np.array(
        [solution.size[j] * gauss_quadrature(*solution.lanczos(j), _log) for j in which]
    )
    error = float(samples.std(ddof=1) / np.sqrt(len(samples))) if len(samples) > 1 else np.nan
    return TraceEstimate(float(samples.mean()) if len(samples) else 0.0, error, samples)


def _log(values: Floats) -> Floats:
    if values.min() <= 0:
        raise FitError(
            f"linalg: matrix must be positive definite, got eigenvalue {values.min():.3g}"
        )
    return np.log(values)
