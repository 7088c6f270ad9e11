"""Singular vectors of a table with far more rows than columns, from one read of it."""

from dataclasses import dataclass

import numpy as np

from margin.core import threads
from margin.core.types import Array, Floats
from margin.decomposition._signs import signed_rows
from margin.decomposition.linear._spectrum import Spectrum
from margin.linalg import dense_pairs, scatter

_SURE = 1e-6  # share of the largest square, above which squares keep the digits of values


@dataclass(frozen=True, eq=False)
class TallSpectrum:
    """The spectrum of a table that is not centred, and variances divided by the weight.

    Parameters
    ----------
    spectrum : Spectrum
    variances : ndarray of shape (k,)
        Of the coordinates.
    whole : float
        Sum of those of all columns.
    """

    spectrum: Spectrum
    variances: Floats
    whole: float


def tall_spectrum(X: Array, weight: Floats | None, n_components: int) -> TallSpectrum | None:
    r"""By the eigenvectors of :math:`X^\top X = S + n \bar x \bar x^\top` (decomposition.03).

    None where a value asked for would lose its digits in the squares.

    Examples
    --------
    >>> tall = tall_spectrum(np.array([[3.0, 4.0], [6.0, 8.0], [0.0, 0.0]]), None, 1)
    >>> np.sqrt(tall.spectrum.squares).round(4), tall.spectrum.axes.round(4)
    (array([11.1803]), array([[0.6, 0.8]]))
    """
    n, p = X.shape
    total = float(n) if weight is None else float(weight.sum())
    with np.errstate(over="ignore", invalid="ignore"):
        sums = scatter(X, np.empty((n, 0)), weight, threads.count(None))
        products = sums.gram + total * np.multiply.outer(sums.mean, sums.mean)
    if not np.isfinite(products).all():
        return None
    values, vectors = dense_pairs(products, n_components)
    if not values[-1] > _SURE * values[0]:
        return None
    axes = signed_rows(vectors.T)
    spectrum = Spectrum(np.zeros(p), values, axes, float(np.trace(products)), total)
    variances = np.einsum("ij,jk,ik->i", axes, sums.gram, axes) / total
    return TallSpectrum(spectrum, variances, float(np.trace(sums.gram)) / total)
