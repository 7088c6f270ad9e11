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
    if all(isinstance(spread, DiagonalSpread) for spread in spreads):
        variance = np.array([spread.variance for spread in spreads]).reshape(mean.shape)
        return _independent_densities(rows, mean, variance)
    value = np.zeros((len(rows), len(mean)))
    for group in missing.patterns(rows):
        seen = group.columns
        whole = len(seen) == rows.shape[1]
        everything = whole and len(group.rows) == len(rows)
        parts = {id(s): s if whole else s.part(seen) for s in spreads}
        whiten = {key: part.whitener for key, part in parts.items()}
        for part in blocks(len(group.rows), max(len(seen), 1)):
            places = part if everything else group.rows[part]
            here = rows[places] if whole else rows[np.ix_(group.rows[part], seen)]
            for j, spread in enumerate(spreads):
                key = id(spread)
                value[places, j] = _density(here - mean[j, seen], parts[key], whiten[key])
    return value


def _density(residual: Floats, spread: Spread, whitener: Floats) -> Floats:
    with np.errstate(over="ignore", invalid="ignore"):  # so far out that the density is zero
        white = residual @ whitener
        length = np.einsum("ij,ij->i", white, white)
    value = -0.5 * (length + spread.log_det + residual.shape[1] * LOG_2PI)
    far = np.isnan(length)  # opposite infinities
    return np.where(far, -np.inf, value) if far.any() else value


def _independent_densities(rows: Floats, mean: Floats, variance: Floats) -> Floats:
    """The same for independent coordinates, whose gaps need no groups."""
    value = np.zeros((len(rows), len(mean)))
    inverse = 1.0 / np.sqrt(variance)
    constant = np.log(variance) + LOG_2PI
    for part in blocks(len(rows), max(rows.shape[1], 1)):
        here = rows[part]
        gap = np.isnan(here)
        holes = bool(gap.any())
        observed = (~gap).astype(np.float64) if holes else None
        for j in range(len(mean)):
            with np.errstate(over="ignore"):  # so far out that the density is zero
                z = (here - mean[j]) * inverse[j]
                z = np.where(gap, 0.0, z) if holes else z
                length = np.einsum("ij,ij->i", z, z)
            rest = observed @ constant[j] if observed is not None else constant[j].sum()
            value[part, j] = -0.5 * (length + rest)
    return value
