"""Collapsed Gibbs sweeps over the clusters of rows."""

import numpy as np
from numpy.typing import NDArray

from margin.native import _native

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Bools = NDArray[np.bool_]

KINDS = ("normal", "normal_mean", "categorical", "poisson")
"""Kinds of columns by the codes of the compiled loops."""


def normal_sweeps(
    X: Floats,
    label: Ints,
    lower: Floats,
    strength: float,
    df: float,
    log_alpha: float,
    n_sweeps: int,
    seed: int,
    step: int,
    holes: Bools | None = None,
) -> tuple[Ints, float]:
    r"""Clusters of normal rows, every row drawn anew ``n_sweeps`` times.

    .. math:: p(z_i = k) \propto n_k\, p(x_i \mid x_j, z_j = k), \qquad
              p(z_i = \text{new}) \propto \alpha\, p(x_i)

    After every sweep a few divisions and unions of whole clusters are proposed. A row with holes
    chooses by what was observed of it; the rest is then drawn given that and its cluster.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        Rows relative to the mean of the belief; written to where there are holes.
    label : ndarray of shape (n,)
        Clusters as numbers from 0, or -1 for a row that has none yet.
    lower : ndarray of shape (d, d)
        Cholesky factor of the scale of the belief.
    strength, df : float
        The rest of a normal-inverse-Wishart belief.
    log_alpha : float
        Log concentration; minus infinity opens no cluster.
    n_sweeps : int
        0 to number the clusters and to measure only.
    seed, step : int
        Key of the random numbers.
    holes : ndarray of bool of shape (n, d), optional
        Entries that were not observed.

    Returns
    -------
    label : ndarray of shape (n,)
        Clusters in the order of their first rows.
    log_evidence : float
        Log density of the rows, as they then are, given the clusters.
    """
    label = label.copy()
    marks = None if holes is None else np.ascontiguousarray(holes, dtype=np.uint8)
    value: float = _native.normal_partition_sweeps(
        X, marks, label, lower, strength, df, log_alpha, n_sweeps, seed, step
    )
    return label, value


def column_sweeps(
    X: Floats,
    label: Ints,
    kind: Ints,
    first: NDArray[np.int64],
    parameters: Floats,
    log_alpha: float,
    n_sweeps: int,
    seed: int,
    step: int,
) -> tuple[Ints, float]:
    """The same for rows of independent columns; NaN is unobserved.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    label : ndarray of shape (n,)
    kind : ndarray of shape (d,)
        Places in :data:`KINDS`.
    first : ndarray of shape (d + 1,)
        Where the parameters of each column begin.
    parameters : ndarray
        Of the beliefs: mean, strength, shape, scale; mean, std, noise; concentrations; or
        concentration and rate.
    log_alpha, n_sweeps, seed, step
        As for :func:`normal_sweeps`.

    Returns
    -------
    label : ndarray of shape (n,)
    log_evidence : float
    """
    label = label.copy()
    value: float = _native.column_partition_sweeps(
        X, label, kind, first, parameters, log_alpha, n_sweeps, seed, step
    )
    return label, value
