r"""Newton steps on the coefficients of a linear machine, and the length of one.

Multipliers answer scores as :math:`\beta_i(z) = \mathrm{clip}(d_i\,\mathrm{soft}(s_i - z_i,
\epsilon), l_i, u_i)`; the gradient is :math:`w - \tilde X^\top \beta(\tilde X w)`, where
:math:`\tilde x_i` is the row followed by a constant.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]


class Response(NamedTuple):
    """How multipliers answer scores.

    Parameters
    ----------
    shift, inverse, lower, upper : :math:`s`, :math:`d` and the bounds.
    epsilon : width of the dead zone.
    """

    shift: Floats
    inverse: Floats
    lower: Floats
    upper: Floats
    epsilon: float


def length(response: Response, z: Floats, along: Floats, a: float, b: float) -> float:
    r"""Length of a step from ``z`` along ``along``, where the slope nearly vanishes.

    The slope is :math:`a + b t - \sum_i \mathrm{along}_i\, \beta_i(z + t\,\mathrm{along})`; 0 where
    it is not negative at the start.
    """
    root: float = _native.newton_length(*response, z, along, a, b)
    return root


def steps(
    X: Floats,
    response: Response,
    constant: tuple[float, bool],
    anchor: Floats,
    pace: float,
    tol: float,
    limit: int,
    point: tuple[Floats, Floats, Floats],
) -> int:
    """Newton steps until the gradient is small beside the way of the multipliers from the anchor.

    Parameters
    ----------
    X : ndarray of shape (n, p)
    response : Response
    constant : the value behind the intercept, and whether its coefficient is free of charge.
    anchor, pace : where the multipliers are held, and how loosely; not at all for infinity.
    tol, limit : without an anchor how small the gradient must be; most steps.
    point : coefficients, scores and multipliers; changed in place.

    Returns
    -------
    int
        Steps made.
    """
    last, free = constant
    count: int = _native.newton_steps(X, *response, last, free, anchor, pace, tol, limit, *point)
    return count
