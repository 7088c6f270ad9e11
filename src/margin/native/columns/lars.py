"""The exact path of the lasso."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
_KINDS = ("enter", "leave", "dependent")


class Breakpoints(NamedTuple):
    """What a walk along the path reports.

    Attributes
    ----------
    alphas : ndarray of shape (k,)
        Strengths at the breakpoints, decreasing.
    coefs : ndarray of shape (p, k)
        Coefficients there.
    active : tuple of int
        Columns with a free coefficient at the end, in order of entry.
    events : tuple of (str, int)
        Which column entered, left, or stayed out because it depends on the others, in order.
    """

    alphas: Floats
    coefs: Floats
    active: tuple[int, ...]
    events: tuple[tuple[str, int], ...]


def gram_lars(
    gram: Floats,
    start: Floats,
    alpha_min: float,
    max_iter: int,
    *,
    leaves: bool = True,
    positive: bool = False,
) -> Breakpoints:
    r"""Follow the minimiser of :math:`\tfrac12 w^\top A w - q^\top w + \alpha\|w\|_1`.

    ``gram`` is :math:`A` and ``start`` is :math:`q`. Without ``leaves`` no coefficient returns to
    zero (least angle regression); with ``positive`` none is below it.
    """
    return _read(_native.gram_lars(gram, start, alpha_min, max_iter, leaves, positive), len(start))


def table_lars(
    columns: Floats,
    target: Floats,
    alpha_min: float,
    max_iter: int,
    *,
    leaves: bool = True,
    positive: bool = False,
) -> Breakpoints:
    r"""Follow the minimiser of :math:`\tfrac1{2n} \|y - Xw\|^2 + \alpha\|w\|_1`.

    ``columns`` holds one column of :math:`X` per row. Products are computed where they are needed.
    """
    walked = _native.table_lars(columns, target, alpha_min, max_iter, leaves, positive)
    return _read(walked, len(columns))


def _read(walked: tuple[list[float], list[float], list[int], list[int]], p: int) -> Breakpoints:
    alphas, coefs, active, events = walked
    told = tuple((_KINDS[kind], j) for kind, j in zip(events[::2], events[1::2], strict=True))
    return Breakpoints(
        np.array(alphas), np.array(coefs).reshape(len(alphas), p).T, tuple(active), told
    )
