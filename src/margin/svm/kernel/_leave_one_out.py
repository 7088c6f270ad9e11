"""What a machine would say of a row it had not seen, without training it again."""

import numpy as np

from margin.core import FitError
from margin.core.types import Floats
from margin.linalg import Cholesky, cholesky
from margin.optim import Gram, Machine

MOST_FREE = 4000
CHUNK = 1000
ROUNDING = 1e-12


def leave_one_out(gram: Gram, machine: Machine, rng: np.random.Generator) -> Floats:
    r"""Decision value of every training row by the machine trained without it, approximately.

    If the other support vectors keep their kind when row :math:`i` leaves, the value falls by
    exactly :math:`\beta_i S_i^2`, where :math:`S_i` is the distance of the row, in feature space,
    from the affine span of the other unbound support vectors (Vapnik and Chapelle 2000). A row
    that is no support vector leaves no trace, and its value is exact. The spans come from one
    factorisation of the kernel matrix of the unbound support vectors; of more than four thousand
    a random part is used, which makes spans larger and the values more cautious.

    Parameters
    ----------
    gram : Gram
    machine : Machine
    rng : numpy Generator

    Returns
    -------
    ndarray of shape (n,)
    """
    size = np.abs(machine.coef)
    # A multiplier that misses its bound by rounding rests there.
    below = size < (1 - ROUNDING) * machine.bound
    free = np.flatnonzero(below & (size > ROUNDING * size.max(initial=0.0)))
    if len(free) > MOST_FREE:
        free = np.sort(rng.choice(free, MOST_FREE, replace=False))
    others = np.setdiff1d(np.flatnonzero(size), free)
    squares = np.zeros(len(size))
    if len(free) < 2:
        carrying = np.flatnonzero(size)
        squares[carrying] = gram.diagonal()[carrying]
        return machine.decision - machine.coef * squares
    # Distances from an affine span stay when a constant is added to the kernel, and a matrix whose
    # rows are dependent without it may have none that are.
    diagonal = gram.diagonal()
    shift = float(np.abs(diagonal[free]).mean())
    K = np.asarray(gram.columns(free)(free), dtype=np.float64) + shift
    factor = _factor(0.5 * (K + K.T))
    ones = factor.half_solve(np.ones(len(free)))
    squares[free] = 1.0 / np.maximum(
        factor.inverse_diagonal() - factor.half_solve(ones, transpose=True) ** 2 / (ones @ ones),
        1e-300,
    )
    for at in range(0, len(others), CHUNK):
        some = others[at : at + CHUNK]
        columns = np.asarray(gram.columns(some)(free), dtype=np.float64)
        cross = factor.half_solve(columns + shift)
        off = (ones @ cross - 1.0) ** 2 / (ones @ ones)
        inside = np.einsum("ij,ij->j", cross, cross)
        squares[some] = np.maximum(0.0, diagonal[some] + shift - inside + off)
    return machine.decision - machine.coef * squares


def _factor(K: Floats) -> Cholesky:
    """Factor of a kernel matrix, or of its positive part where the kernel is none."""
    name = "kernel matrix of the support vectors"
    try:
        return cholesky(K, name=name, max_jitter=1e-3)
    except FitError:
        values, vectors = np.linalg.eigh(K)
        floor = 1e-3 * float(np.abs(values).max())
        return cholesky((vectors * np.maximum(values, floor)) @ vectors.T, name=name)
