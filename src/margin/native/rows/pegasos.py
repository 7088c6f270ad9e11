"""Epochs of Pegasos over the rows of a linear machine."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Indices = NDArray[np.int64]


class Epoch(NamedTuple):
    """What an epoch did to the machines.

    Parameters
    ----------
    counts : of shape (machines, n), how much of every row was added to the sums.
    shrunk : of shape (machines,), what the projections have left of the sums at the start.
    mean : mean of the weights over the visits, or None.
    """

    counts: Floats
    shrunk: Floats
    mean: Floats | None


def pegasos_epoch(
    X: Any,
    code: Indices,
    order: Indices,
    sums: Floats,
    *,
    alpha: float,
    offset: float,
    constant: float,
    projection: bool = False,
    average: bool = False,
) -> Epoch:
    r"""Visit rows in ``order``; the weights are :math:`w = v / (\alpha t)`.

    Visit :math:`t`, counted from ``offset``, adds the row, followed by ``constant``, to ``sums``
    :math:`v` of every machine whose margin is below one, with the sign of the row, in place. One
    machine separates class 1 from 0, several each their own class from all others. With
    ``projection`` the weights are scaled back to a norm of :math:`1 / \sqrt\alpha` after every
    visit, and with them the counts of the rows. Column indices of a CSR matrix are trusted.
    """
    epoch = Epoch(
        np.zeros((len(sums), len(code))),
        np.ones(len(sums)),
        np.zeros_like(sums) if average else None,
    )
    how = (float(alpha), float(offset), float(constant), projection)
    tail = (code, order, *how, sums, *epoch)
    if isinstance(X, np.ndarray):
        _native.pegasos_dense(X, *tail)
    else:
        _native.pegasos_sparse(X.indptr, X.indices, X.data, *tail)
    return epoch


def pegasos_ascent(
    X: Any,
    code: Indices,
    order: Indices,
    cap: Floats,
    shares: Floats,
    weights: Floats,
    *,
    alpha: float,
    constant: float,
) -> None:
    r"""Raise the dual :math:`\sum_i b_i - \tfrac\alpha2 \|w\|^2`, one share at a time, in place.

    The weights are the sum of the signed rows times their shares, divided by :math:`\alpha`; every
    share ends where the dual is highest within ``cap``.
    """
    tail = (code, order, cap, float(alpha), float(constant), shares, weights)
    if isinstance(X, np.ndarray):
        _native.pegasos_ascent_dense(X, *tail)
    else:
        _native.pegasos_ascent_sparse(X.indptr, X.indices, X.data, *tail)
