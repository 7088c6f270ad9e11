"""Marginals with error bars, and how they differ from the best whole assignment."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from margin.core import check
from margin.core.types import Floats, Ints


def error_bars(marginal: ArrayLike, values: ArrayLike) -> tuple[Floats, Floats]:
    r"""Mean and standard deviation of a variable whose states stand for numbers.

    Parameters
    ----------
    marginal : array of shape (…, states)
    values : array of shape (states,)

    Examples
    --------
    >>> mean, deviation = error_bars([0.25, 0.5, 0.25], [0.0, 1.0, 2.0])
    >>> float(mean), float(deviation.round(4))
    (1.0, 0.7071)
    """
    p, x = np.asarray(marginal, dtype=np.float64), np.asarray(values, dtype=np.float64)
    if p.shape[-1:] != x.shape:
        raise check.fail("error_bars", "values", f"of shape {p.shape[-1:]}", x.shape)
    mean = p @ x
    spread = np.sqrt((p * (x - mean[..., None]) ** 2).sum(axis=-1))
    return mean, spread


def pointwise_best(marginals: Sequence[ArrayLike]) -> Ints:
    """The most probable state of each variable by itself (``inference.22``).

    Not the most probable assignment: together these states may have probability zero. For the best
    whole assignment ask :meth:`JunctionTree.mpe`.

    Examples
    --------
    Three routes; the room entered most often is not on the likeliest route.

    >>> pointwise_best([[0.4, 0.6], [0.7, 0.3]]).tolist()
    [1, 0]
    """
    best = [np.asarray(marginal).argmax(axis=-1) for marginal in marginals]
    return np.stack(best, axis=-1).astype(np.int32)
