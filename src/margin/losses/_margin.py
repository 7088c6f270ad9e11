"""Labels as signs, for losses of the margin."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.core.types import Floats


def signs(y: NDArray[Any]) -> Floats:
    """Sign of each label: +1 where ``y > 0``, -1 elsewhere.

    Labels may be coded 0/1 as for :class:`~margin.losses.Logistic`, or -1/+1: every loss of the
    margin :math:`m = y z` (losses.01) takes both.

    Examples
    --------
    >>> import numpy as np
    >>> signs(np.array([0, 1])), signs(np.array([-1.0, 1.0]))
    (array([-1.,  1.]), array([-1.,  1.]))
    """
    return np.where(np.asarray(y) > 0, 1.0, -1.0)
