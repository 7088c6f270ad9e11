"""The answer to a (penalised) least-squares problem, and what its evidence is measured by."""

import math
from dataclasses import dataclass

import numpy as np

from margin.core import FitError
from margin.core.types import Floats
from margin.linalg.data._centred import Centred
from margin.linalg.least_squares._normal_inverse import NormalInverse

_LEAST_CORRELATION = 1e-6


@dataclass(frozen=True)
class RidgeFit:
    """Coefficients of a (penalised) least-squares problem and the evidence for them.

    Parameters
    ----------
    coef : ndarray of shape (p, k)
    intercept : ndarray of shape (k,)
    method : str
        Factorisation used and why.
    rank : int
        Numerical rank of the centred, weighted design.
    residual : float
        Largest entry of the gradient relative to the largest moment of a feature with the target
        (or a millionth of the product of their norms, where rounding decides).
    refinements : int
        Corrections made after the first solve.
    objective : float
        Half the weighted residual sum of squares plus half the penalty.
    squares : ndarray of shape (k,)
        Weighted residual sum of squares of each target.
    inverse : NormalInverse or None
        How far the equations determine the coefficients; ``None`` where nothing can be said, or
        where saying it would take more than 80 MB.
    """

    coef: Floats
    intercept: Floats
    method: str
    rank: int
    residual: float
    refinements: int
    objective: float
    squares: Floats
    inverse: NormalInverse | None


def gradient_unit(moments: Floats, norm: float, view: Centred) -> float:
    """What a gradient is small against: moments, or what rounding leaves of vanishing ones."""
    centred_target = view.centred_target()
    # Not by BLAS: waking its threads for one vector takes longer than the whole fit.
    target = math.sqrt(np.add.reduce(view.weighted(centred_target) * centred_target, axis=None))
    rounding = _LEAST_CORRELATION * float(norm) * target
    if not math.isfinite(rounding):
        raise FitError(
            "linalg: features and targets must have finite sums of squares, "
            f"got norms {norm:.3g} and {target:.3g}: rescale them"
        )
    return max(float(np.abs(moments).max(initial=0.0)), rounding, np.finfo(float).tiny)


def penalised_half(halves: Floats, coef: Floats, alpha: float) -> float:
    return float(halves.sum()) + 0.5 * alpha * float(np.vdot(coef, coef))
