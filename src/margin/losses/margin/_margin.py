"""Labels as signs or as shares, for losses of the margin."""

from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats
from margin.losses._base import floats

_least, _largest = np.minimum.reduce, np.maximum.reduce
_LABELS = "labels of 0 and 1, or of -1 and +1"


def signs(y: Any, owner: object = "signs") -> Floats:
    """Sign of each label: +1 for 1, -1 for 0 or -1; anything else is refused by name.

    Labels may be coded 0/1 or -1/+1: every loss of the margin :math:`m = y z` (losses.01) takes
    both.

    Examples
    --------
    >>> import numpy as np
    >>> signs(np.array([0, 1])), signs(np.array([-1.0, 1.0]))
    (array([-1.,  1.]), array([-1.,  1.]))
    >>> signs([1, 2], "Hinge")
    Traceback (most recent call last):
    ValueError: Hinge: y must be labels of 0 and 1, or of -1 and +1, got 2.0
    """
    label = floats(owner, "y", y)
    negative = -1.0 if (label == -1.0).any() else 0.0
    odd = label[(label != 1.0) & (label != negative)]
    if odd.size:
        raise check.fail(owner, "y", _LABELS, float(odd[0]))
    return np.where(label > 0, 1.0, -1.0)


def shares(y: Any, owner: object = "shares") -> Floats:
    """Probability of the positive class: the label 0/1 or -1/+1 as one, or a number between.

    Examples
    --------
    >>> shares([-1, 1]), shares([0, 1, 0.25])
    (array([0., 1.]), array([0.  , 1.  , 0.25]))
    """
    label = floats(owner, "y", y)
    # The ufuncs themselves: solvers ask at every iteration, also of tables of a few rows.
    if not label.size or (_least(label, None) >= 0.0 and _largest(label, None) <= 1.0):
        return label
    if ((label == 1.0) | (label == -1.0)).all():
        return 0.5 * (label + 1.0)
    odd = label[~((label >= 0.0) & (label <= 1.0)) & (label != -1.0)]
    if not odd.size:
        odd = label[(label != -1.0) & (label != 1.0)]
    raise check.fail(owner, "y", f"{_LABELS}, or shares between", float(odd[0]))
