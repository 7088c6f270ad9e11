"""Density, conditioning and divergence of normal vectors, on residuals and spreads."""

from typing import NamedTuple

import numpy as np

from margin.core import missing
from margin.core.types import Floats, Places
from margin.distributions.multivariate._spread import Spread
from margin.linalg import cholesky, schur_complement

LOG_2PI = float(np.log(2 * np.pi))


class Conditional(NamedTuple):
    """How the remaining coordinates follow the observed ones.

    ``gain`` times the shift of the observed coordinates is that of the others' mean; ``matrix``
    is their covariance, or their precision where that is the form of the spread.
    """

    gain: Floats
    matrix: Floats


def flat(vectors: Floats) -> Floats:
    """All vectors as the rows of one matrix, also where they have no coordinates.

    Examples
    --------
    >>> flat(np.zeros((2, 3, 4))).shape, flat(np.zeros(4)).shape
    ((6, 4), (1, 4))
    """
    return vectors.reshape(int(np.prod(vectors.shape[:-1])), vectors.shape[-1])


def log_density(spread: Spread, rows: Floats) -> Floats:
    """Log density of residuals; NaN is marginalised, rows with the same gaps share a factor."""
    far = np.asarray(np.isinf(rows).any(axis=1))
    if far.any():
        rows = np.where(far[:, None], 0.0, rows)
    value = np.zeros(len(rows))
    for group in missing.patterns(rows):
        seen, part = group.columns, spread
        if len(seen) < spread.dim:
            part = Spread.of("MultivariateNormal", spread.covariance[np.ix_(seen, seen)])
        complete = len(group.rows) == len(rows) and len(seen) == spread.dim
        white = part.whiten(rows if complete else rows[np.ix_(group.rows, seen)])
        with np.errstate(over="ignore"):  # so far out that the density is zero
            length = np.einsum("ij,ij->i", white, white)
        value[group.rows] = -0.5 * (length + part.log_det + len(seen) * LOG_2PI)
    value[far] = -np.inf
    return value


def conditional(spread: Spread, left: Places, seen: Places) -> Conditional:
    """Law of the coordinates ``left`` given those at ``seen``, in the form of the spread."""
    if spread.form == "precision":
        stays = spread.precision[np.ix_(left, left)]
        across = cholesky(stays, name="precision").solve(spread.precision[np.ix_(left, seen)])
        return Conditional(-across, stays)
    block = schur_complement(spread.covariance, seen, name="covariance")
    return Conditional(block.gain, block.complement)


def divergence(p: Spread, q: Spread, shift: Floats) -> Floats:
    """Kullback-Leibler divergence from ``p`` to ``q`` whose means lie ``shift`` apart, by row."""
    apart = np.sum(q.whiten(shift) ** 2, axis=1)
    # Rows of white noise, coloured by p and whitened by q: their squares sum to the trace.
    trace = np.sum(q.whiten(p.colour(np.eye(p.dim))) ** 2)
    spread = 0.5 * (trace - p.dim + q.log_det - p.log_det)
    return np.asarray(spread + 0.5 * apart)
