"""Yule–Walker equations by the Levinson–Durbin recursion."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from margin.core import FitError
from margin.core.types import Floats


@dataclass(frozen=True, eq=False)
class LevinsonDurbin:
    r"""Best linear predictors of all orders, from autocovariances (linalg.13).

    Parameters
    ----------
    coef : ndarray of shape (order,)
        :math:`a` of the predictor :math:`\hat v_t = \sum_k a_k v_{t-k}`, nearest lag first.
    reflection : ndarray of shape (order,)
        Partial autocorrelations :math:`\kappa_m`; all below 1 in size iff the model is stable.
    errors : ndarray of shape (order + 1,)
        Mean squared prediction error of orders 0, 1, …; never rises.
    """

    coef: Floats
    reflection: Floats
    errors: Floats


def levinson_durbin(autocovariance: ArrayLike, order: int | None = None) -> LevinsonDurbin:
    r"""Solve :math:`\sum_k r_{|j-k|} a_k = r_j` in :math:`O(L^2)` (linalg.13).

    These are the Yule–Walker equations, :math:`j, k = 1 \dots L`. Order ``m`` comes from order
    ``m - 1`` by one reflection:

    .. math:: \kappa_m = \frac{r_m - \sum_k a_k r_{m-k}}{e_{m-1}}, \quad
              a \leftarrow (a - \kappa_m \bar a,\ \kappa_m), \quad e_m = (1 - \kappa_m^2)\, e_{m-1},

    with :math:`\bar a` the coefficients reversed. The matrix must be Toeplitz, as the one made of
    autocovariances is; the normal equations of a least-squares autoregression are not.

    Parameters
    ----------
    autocovariance : array-like of shape (at least order + 1,)
        :math:`r_0, r_1, …` with a positive-definite Toeplitz matrix.
    order : int, optional
        ``L``; all lags given when absent.

    Returns
    -------
    LevinsonDurbin

    Raises
    ------
    FitError
        The Toeplitz matrix is not positive definite.

    References
    ----------
    Durbin (1960), The fitting of time-series models.

    Examples
    --------
    >>> fit = levinson_durbin([1.0, 0.5, 0.4])
    >>> fit.coef
    array([0.4, 0.2])
    >>> fit.reflection, fit.errors
    (array([0.5, 0.2]), array([1.  , 0.75, 0.72]))
    """
    r = np.asarray(autocovariance, dtype=np.float64)
    if r.ndim != 1 or not len(r) or not np.isfinite(r).all():
        raise ValueError(
            "linalg: autocovariance must be a finite sequence of at least 1 number, "
            f"got an array of shape {r.shape}"
        )
    order = len(r) - 1 if order is None else order
    if not 0 <= order < len(r):
        raise ValueError(f"linalg: order must be between 0 and {len(r) - 1}, got {order!r}")
    coef, reflection, errors = np.zeros(order), np.zeros(order), np.full(order + 1, r[0])
    for m in range(order):
        if not errors[m] > (m + 1) * np.finfo(np.float64).eps * r[0]:
            raise FitError(
                "linalg: autocovariance must have a positive-definite Toeplitz matrix, "
                f"got prediction error {errors[m]:.3g} at order {m}"
            )
        past = coef[:m]
        kappa = (r[m + 1] - past @ r[m:0:-1]) / errors[m]
        coef[:m] = past - kappa * past[::-1]
        coef[m] = reflection[m] = kappa
        errors[m + 1] = (1 - kappa) * (1 + kappa) * errors[m]
    if not errors[-1] > 0:
        raise FitError(
            "linalg: autocovariance must have a positive-definite Toeplitz matrix, "
            f"got prediction error {errors[-1]:.3g} at order {order}"
        )
    return LevinsonDurbin(coef, reflection, errors)
