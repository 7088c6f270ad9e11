"""Answers of linear structural models: normal laws, one for each row asked."""

from collections.abc import Hashable
from dataclasses import dataclass, field

import numpy as np

from margin.core import check
from margin.core.types import Floats


@dataclass(frozen=True, eq=False)
class GaussianAnswer:
    """Normal law of some variables.

    Parameters
    ----------
    variables : tuple of names
    mean : ndarray of shape (k,) or (n_rows, k)
    covariance : ndarray of shape (k, k) or (n_rows, k, k)
    """

    variables: tuple[Hashable, ...]
    mean: Floats
    covariance: Floats = field(repr=False)

    @property
    def var(self) -> Floats:
        """Variances."""
        return np.maximum(np.diagonal(self.covariance, axis1=-2, axis2=-1), 0.0)

    def first(self) -> "GaussianAnswer":
        """The answer of the first row alone."""
        return GaussianAnswer(self.variables, self.mean[0], self.covariance[0])

    def __getitem__(self, name: Hashable) -> "GaussianAnswer":
        if name not in self.variables:
            raise check.fail("GaussianAnswer", "name", f"among {self.variables}", name)
        at = [self.variables.index(name)]
        return GaussianAnswer((name,), self.mean[..., at], self.covariance[..., at, :][..., at])


def conditioned(mean: Floats, cov: Floats, rows: Floats) -> tuple[Floats, Floats]:
    """Mean and covariance of everything given the finite entries of each row.

    Rows that know the same entries share one factorisation.

    Examples
    --------
    >>> means, covs = conditioned(np.zeros(2), np.array([[1.0, 0.5], [0.5, 1.0]]),
    ...                           np.array([[2.0, np.nan]]))
    >>> means, covs[0, 1, 1]
    (array([[2., 1.]]), np.float64(0.75))
    """
    means = np.empty((len(rows), len(mean)))
    covs = np.empty((len(rows), len(mean), len(mean)))
    known = np.isfinite(rows)
    patterns, which = np.unique(known, axis=0, return_inverse=True)
    for at, seen in enumerate(patterns):
        these = np.flatnonzero(which.ravel() == at)
        if not seen.any():
            means[these], covs[these] = mean, cov
            continue
        # The pseudo-inverse passes over variables that others determine.
        gain = cov[:, seen] @ np.linalg.pinv(cov[np.ix_(seen, seen)], hermitian=True, rcond=1e-12)
        means[these] = mean + (rows[np.ix_(these, np.flatnonzero(seen))] - mean[seen]) @ gain.T
        covs[these] = cov - gain @ cov[seen]
        means[np.ix_(these, np.flatnonzero(seen))] = rows[np.ix_(these, np.flatnonzero(seen))]
    return means, covs
