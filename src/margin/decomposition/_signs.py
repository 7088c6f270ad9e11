"""Signs of axes, fixed so that answers repeat."""

import numpy as np

from margin.core.types import Floats


def signed_rows(axes: Floats) -> Floats:
    """Rows flipped so that the entry of largest size is positive.

    Examples
    --------
    >>> signed_rows(np.array([[0.6, -0.8], [0.8, 0.6]]))
    array([[-0.6,  0.8],
           [ 0.8,  0.6]])
    """
    if not axes.size:
        return axes
    largest = axes[np.arange(len(axes)), np.argmax(np.abs(axes), axis=1)]
    return np.asarray(axes * np.where(largest < 0, -1.0, 1.0)[:, None])
