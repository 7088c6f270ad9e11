"""A normal distribution with a latent normal cause, and rows with gaps under it."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import cho_solve

from margin.core.types import Array, Floats
from margin.decomposition._signs import signed_rows
from margin.linalg import svd

_LOG_2PI = float(np.log(2 * np.pi))
_NUMBERS = 1 << 21
_NEAR = 1 << 16
_MANY = 1000


class Latents(NamedTuple):
    """What rows say about their causes.

    Parameters
    ----------
    mean : ndarray of shape (n, k)
        Posterior means.
    covariance : ndarray of shape (k, k) or (n, k, k)
        Posterior covariance: one for all rows where none has a gap.
    log_prob : ndarray of shape (n,)
        Log-density of what is observed of every row.
    """

    mean: Floats
    covariance: Floats
    log_prob: Floats


@dataclass(frozen=True, eq=False)
class LatentNormal:
    r"""The law of :math:`x = \mu + W z + \epsilon`, :math:`z \sim N(0, I)`,
    :math:`\epsilon \sim N(0, \Psi)`.

    Everything costs :math:`O(p k^2)`: no matrix of p × p is made. NaN is integrated out.

    Parameters
    ----------
    mean : ndarray of shape (p,)
        :math:`\mu`.
    loadings : ndarray of shape (p, k)
        :math:`W`.
    noise : ndarray of shape (p,)
        Diagonal of :math:`\Psi`, positive.

    Examples
    --------
    >>> law = LatentNormal(np.zeros(2), np.ones((2, 1)), np.ones(2))
    >>> law.posterior(np.array([[1.0, 2.0], [3.0, np.nan]])).mean
    array([[1. ],
           [1.5]])
    >>> law.covariance()
    array([[2., 1.],
           [1., 2.]])
    """

    mean: Floats
    loadings: Floats
    noise: Floats

    def posterior(self, X: Array) -> Latents:
        """Posterior of the causes of rows, and the density of what is observed."""
        if np.isnan(X).any():
            return self._with_gaps(X)
        root = np.sqrt(self.noise)
        scaled = self.loadings / root[:, None]
        covariance, log_det = self._of_complete_rows(scaled)
        n, p = X.shape
        latent, density = np.empty((n, len(covariance))), np.empty(n)
        for part in _parts(n, p):
            away = (X[part] - self.mean) / root
            latent[part] = (away @ scaled) @ covariance
            # The residual in the place of a difference of two large sums.
            away -= latent[part] @ scaled.T
            misfit = np.einsum("ij,ij->i", away, away)
            misfit += np.einsum("ij,ij->i", latent[part], latent[part])
            density[part] = -0.5 * (misfit + log_det + p * _LOG_2PI)
        return Latents(latent, covariance, density)

    def posterior_mean(self, X: Array) -> Floats:
        """Posterior means of the causes of rows, and nothing else."""
        if np.isnan(X).any():
            return self._with_gaps(X).mean
        root = np.sqrt(self.noise)
        scaled = self.loadings / root[:, None]
        turn = scaled @ self._of_complete_rows(scaled)[0] / root[:, None]
        n, p = X.shape
        latent = np.empty((n, turn.shape[1]))
        for part in _parts(n, p):
            np.matmul(X[part] - self.mean, turn, out=latent[part])
        return latent

    def _of_complete_rows(self, scaled: Floats) -> tuple[Floats, float]:
        """Posterior covariance, the same for all of them, and the log-determinant of their law."""
        k = scaled.shape[1]
        triangle = np.linalg.cholesky(np.eye(k) + scaled.T @ scaled)
        log_det = 2 * np.log(np.diagonal(triangle)).sum() + np.log(self.noise).sum()
        covariance = cho_solve((triangle, True), np.eye(k)) if k else np.eye(0)
        return covariance, float(log_det)

    def _with_gaps(self, X: Array) -> Latents:
        n, p = X.shape
        k = self.loadings.shape[1]
        scaled = self.loadings / np.sqrt(self.noise)[:, None]
        products = (scaled[:, :, None] * scaled[:, None, :]).reshape(p, k * k)
        mean, covariance, density = np.empty((n, k)), np.empty((n, k, k)), np.empty(n)
        for part in row_parts(n, p, k):
            seen = ~np.isnan(X[part])
            away = np.where(seen, (X[part] - self.mean) / np.sqrt(self.noise), 0.0)
            precision = np.eye(k) + (seen @ products).reshape(len(seen), k, k)
            covariance[part] = np.linalg.inv(precision)
            mean[part] = np.einsum("ikl,il->ik", covariance[part], away @ scaled)
            rest = np.where(seen, away - mean[part] @ scaled.T, 0.0)
            misfit = np.einsum("ij,ij->i", rest, rest)
            misfit += np.einsum("ik,ik->i", mean[part], mean[part])
            log_det = np.linalg.slogdet(precision)[1] + seen @ np.log(self.noise)
            density[part] = -0.5 * (misfit + log_det + seen.sum(axis=1) * _LOG_2PI)
        return Latents(mean, covariance, density)

    def completed(self, X: Array) -> Floats:
        """Rows whose gaps are filled by their expectation, given what is observed."""
        expected = self.mean + self.posterior_mean(X) @ self.loadings.T
        return np.where(np.isnan(X), expected, X)

    def covariance(self) -> Floats:
        """Covariance of rows."""
        out = self.loadings @ self.loadings.T
        out[np.diag_indices_from(out)] += self.noise
        return np.asarray(out)

    def precision(self) -> Floats:
        """Its inverse; by the lemma of Woodbury, which loses digits, where columns are many."""
        if len(self.noise) <= _MANY:
            return np.asarray(np.linalg.inv(self.covariance()))
        scaled = self.loadings / self.noise[:, None]
        k = scaled.shape[1]
        inner = np.eye(k) + self.loadings.T @ scaled
        out = -scaled @ np.linalg.solve(inner, scaled.T) if k else np.zeros(2 * (len(scaled),))
        out[np.diag_indices_from(out)] += 1 / self.noise
        return np.asarray((out + out.T) / 2)

    def sample(self, n: int, rng: np.random.Generator) -> Floats:
        """Rows drawn from the law."""
        p, k = self.loadings.shape
        latent, noise = rng.standard_normal((n, k)), rng.standard_normal((n, p))
        return np.asarray(self.mean + latent @ self.loadings.T + noise * np.sqrt(self.noise))

    def canonical(self) -> "LatentNormal":
        r"""The same law with :math:`W^\top \Psi^{-1} W` diagonal, largest first, signs fixed."""
        if not self.loadings.shape[1]:
            return self
        root = np.sqrt(self.noise)[:, None]
        left, values, _ = svd(self.loadings / root)
        k = self.loadings.shape[1]
        turned = np.zeros_like(self.loadings)
        turned[:, : len(values)] = root * left * values
        return LatentNormal(self.mean, signed_rows(turned[:, :k].T).T, self.noise)


def _parts(n: int, p: int) -> list[slice]:
    """Rows that go through the nearer caches together."""
    step = max(1, _NEAR // max(p, 1))
    return [slice(start, start + step) for start in range(0, n, step)]


def row_parts(n: int, p: int, k: int) -> list[slice]:
    """Runs of rows whose matrices of k × k fit into some megabytes."""
    step = max(1, _NUMBERS // max(p, (k + 1) ** 2, 1))
    return [slice(at, min(at + step, n)) for at in range(0, n, step)]
