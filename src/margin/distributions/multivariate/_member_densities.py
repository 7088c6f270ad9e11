"""Densities of rows under many normal vectors at once."""

from typing import Any

import numpy as np

from margin.core import missing
from margin.core.types import Floats
from margin.distributions.multivariate._diagonal_spread import DiagonalSpread
from margin.distributions.multivariate._spread import Spread
from margin.distributions.multivariate._vector_algebra import LOG_2PI
from margin.distributions.statistics._weights import blocks


def member_densities(rows: Floats, mean: Floats, spreads: list[Any]) -> Floats:
    """Log density of each of ``n`` rows under each of ``k`` members, of shape (n, k).

    NaN is marginalised: rows are grouped by their gaps, and every group needs one factor for each
    distinct spread. One block of rows and one member are worked on at a time.

    Parameters
    ----------
    rows : ndarray of shape (n, d)
    mean : ndarray of shape (k, d)
    spreads : list of Spread or DiagonalSpread
        One for each member; the same object where members share it.
    """
    value = np.zeros((len(rows), len(mean)))
    for group in missing.patterns(rows):
        seen = group.columns
        whole = len(seen) == rows.shape[1]
        everything = whole and len(group.rows) == len(rows)
        parts = {id(s): s if whole else s.part(seen) for s in spreads}
        for part in blocks(len(group.rows), max(len(seen), 1)):
            places = part if everything else group.rows[part]
            here = rows[places] if whole else rows[np.ix_(group.rows[part], seen)]
            for j, spread in enumerate(spreads):
                value[places, j] = _density(here - mean[j, seen], parts[id(spread)])
    return value


def _density(residual: Floats, spread: Spread | DiagonalSpread) -> Floats:
    if isinstance(spread, DiagonalSpread):
        return spread.log_density(residual)
    far = np.asarray(np.isinf(residual).any(axis=1))
    white = spread.whiten(np.where(far[:, None], 0.0, residual) if far.any() else residual)
    with np.errstate(over="ignore"):  # so far out that the density is zero
        length = np.einsum("ij,ij->i", white, white)
    value = -0.5 * (length + spread.log_det + residual.shape[1] * LOG_2PI)
    return np.where(far, -np.inf, value)
