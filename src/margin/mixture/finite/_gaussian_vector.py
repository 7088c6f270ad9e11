"""Gaussian mixtures as vectors of free numbers, for acceleration."""

from dataclasses import dataclass

import numpy as np

from margin.core import FitError
from margin.core.types import Floats
from margin.mixture.finite._gaussians import Gaussians


@dataclass(frozen=True)
class GaussianVector:
    """Log weights, means, and factors of the covariances with logarithms on the diagonal.

    Parameters
    ----------
    k, d : int
    kind : str

    Examples
    --------
    >>> import numpy as np
    >>> one = Gaussians.of(np.ones(1), np.zeros((1, 2)), np.eye(2)[None], "full")[0]
    >>> form = GaussianVector(1, 2, "full")
    >>> form.to_vector(one).tolist(), form.from_vector(form.to_vector(one)).covariances.tolist()
    ([0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [[[1.0, 0.0], [0.0, 1.0]]])
    """

    k: int
    d: int
    kind: str

    def to_vector(self, at: Gaussians) -> Floats:
        """Free numbers; infinite where a component rests, which stops the acceleration."""
        if self.kind in ("diag", "spherical"):
            spread = np.log(at.covariances).ravel()
        else:
            factor = np.linalg.cholesky(at.covariances).reshape(-1, self.d, self.d)
            spread = np.concatenate([_packed(np.asarray(f, dtype=np.float64)) for f in factor])
        return np.concatenate([at.log_weights, at.means.ravel(), spread])

    def from_vector(self, free: Floats) -> Gaussians | None:
        """The mixture, unless the numbers mean none."""
        k, d = self.k, self.d
        weights = np.exp(free[:k] - free[:k].max())
        means, spread = free[k : k + k * d].reshape(k, d), free[k + k * d :]
        if np.abs(spread).max(initial=0.0) > 1e150:
            return None
        if self.kind in ("diag", "spherical"):
            with np.errstate(over="ignore", under="ignore"):
                covariances = np.exp(spread).reshape((k, d) if self.kind == "diag" else (k,))
        else:
            members = spread.reshape(1 if self.kind == "tied" else k, -1)
            with np.errstate(over="ignore", invalid="ignore"):
                factor = np.array([_unpacked(m, d) for m in members])
                covariances = factor @ np.swapaxes(factor, 1, 2)
            covariances = covariances[0] if self.kind == "tied" else covariances
        if not np.isfinite(covariances).all():
            return None
        try:
            return Gaussians.of(weights / weights.sum(), means, covariances, self.kind)[0]
        except FitError:
            return None


def _packed(factor: Floats) -> Floats:
    lower = factor[np.tril_indices(len(factor), -1)]
    return np.concatenate([np.log(np.diagonal(factor)), lower])


def _unpacked(free: Floats, d: int) -> Floats:
    factor = np.diag(np.exp(free[:d]))
    factor[np.tril_indices(d, -1)] = free[d:]
    return factor
