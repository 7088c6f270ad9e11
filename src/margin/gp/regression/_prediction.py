"""Predictions of a fitted process, in the units of the targets."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.linalg import eigh

from margin.core import check
from margin.core.types import Floats
from margin.distributions import MultivariateNormal, Normal
from margin.gp._inputs import Precomputed
from margin.gp._noise import noise_variance
from margin.gp.regression._mean import Mean
from margin.gp.regression._units import Units
from margin.gp.solvers._interface import Posterior

_BLOCK = 1 << 24
_NEAR = 1 << 17  # entries that stay in the cache until they are multiplied
_FEWEST = 128


class Moments(NamedTuple):
    """Mean of shape (m, k), variance (m, k) or None, covariance (m, m, k) or None."""

    mean: Floats
    var: Any = None
    cov: Any = None


@dataclass(frozen=True, eq=False)
class Predictor:
    """A process given the data, asked in the units of the targets.

    Parameters
    ----------
    owner : str
        Class that was fitted, for messages.
    kernel : Kernel
    X : array of shape (n, d), or a list of objects
        Training objects.
    mean : Mean
        Mean function.
    units : Units
        Of the targets.
    posterior : Posterior
        Of the function in these units.
    single : bool
        Whether the targets had one axis.
    """

    owner: str
    kernel: Any
    X: Any
    mean: Mean
    units: Units
    posterior: Posterior
    single: bool

    def moments(
        self, X: Any, spread: str = "", *, latent: bool = False, prior: Any = None
    ) -> Moments:
        """Mean and spread of the process at new objects.

        Parameters
        ----------
        X : array of shape (m, d), or a list of objects
        spread : {"", "var", "cov"}
            What is wanted besides the mean.
        latent : bool
            Whether to leave out the white noise of the kernel.
        prior : ndarray, optional
            Values of a precomputed kernel between the new objects.
        """
        if spread == "cov":
            return self._joint(X, latent, prior)
        # Blocks bound the memory of the kernel between new and old objects.
        step = max(1, _BLOCK // max(1, len(self.X)))
        if not spread:
            step = min(step, max(_FEWEST, _NEAR // max(1, len(self.X))))
        if self.posterior.whole:
            step = max(1, len(X))
        pieces = []
        for start in range(0, len(X), step):
            rows = slice(start, start + step)
            part = None if prior is None else np.asarray(prior, dtype=np.float64)[rows]
            pieces.append(self._pointwise(X[rows], spread, latent, part))
        mean = np.concatenate([piece[0] for piece in pieces]) if pieces else np.empty((0, 1))
        if not spread:
            return Moments(mean)
        return Moments(mean, np.concatenate([piece[1] for piece in pieces]))

    def _pointwise(self, X: Any, spread: str, latent: bool, prior: Any) -> tuple[Floats, Any]:
        diag = None
        if spread:
            diag = self._given(prior, (len(X),)) if self._is_matrix else self.kernel.diag(X)
            diag = np.asarray(diag, dtype=np.float64)
            if latent:
                diag = diag - noise_variance(self.kernel, X)
        mean, var = self.posterior.predict(self.kernel, X, self.mean.rows(X), diag)
        mean = self.units.mean(mean + self.mean.offset(X)[:, None])
        return mean, None if var is None else self.units.var(var[:, None])

    def _joint(self, X: Any, latent: bool, prior: Any) -> Moments:
        if self._is_matrix:
            whole = self._given(prior, (len(X), len(X)))
        else:
            whole = np.array(self.kernel(X), dtype=np.float64)
        if latent:
            whole.flat[:: len(whole) + 1] -= noise_variance(self.kernel, X)
        mean, _ = self._pointwise(X, "", False, None)
        cov = self.posterior.covariance(self.kernel, X, self.mean.rows(X), whole)
        return Moments(mean, None, self.units.var(cov[:, :, None]))

    @property
    def _is_matrix(self) -> bool:
        return isinstance(self.kernel, Precomputed)

    def _given(self, prior: Any, shape: tuple[int, ...]) -> Floats:
        if prior is None:
            need = f"an array of shape {shape} for a precomputed kernel"
            raise check.fail(self.owner, "prior", need, None)
        values = np.array(prior, dtype=np.float64)
        if values.shape != shape:
            raise check.fail(self.owner, "prior", f"an array of shape {shape}", values.shape)
        return values

    def shaped(self, values: Floats) -> Floats:
        """Without the last axis, that of targets, where there is one target."""
        return values[..., 0] if self.single else values

    def distribution(
        self, X: Any, *, alpha: Any, latent: bool, joint: bool, prior: Any
    ) -> Normal | MultivariateNormal:
        """Distribution of new targets or of the function, row by row or of all rows together.

        Parameters
        ----------
        X : objects
        alpha : float or array
            Noise of the targets besides that of the kernel; new ones have it if it is a number.
        latent, joint, prior
            As for the estimator.
        """
        noise = 0.0 if latent or np.ndim(alpha) else self.units.var(alpha)
        if joint:
            if not self.single:
                raise check.fail(self.owner, "joint", "False for several targets", joint)
            there = self.moments(X, "cov", latent=latent, prior=prior)
            cov = there.cov[:, :, 0] + np.eye(len(there.mean)) * noise
            return MultivariateNormal(there.mean[:, 0], cov)
        there = self.moments(X, "var", latent=latent, prior=prior)
        # A variance of exactly zero, at noise-free data, is known to rounding errors only.
        size = float(np.mean(self.kernel.diag(self.X[:1])))
        least = np.finfo(np.float64).eps * size * self.units.size**2
        var = np.maximum(there.var + noise, least)
        return Normal(self.shaped(there.mean), np.sqrt(self.shaped(var)))

    def sample(self, X: Any, n: int, rng: np.random.Generator) -> Floats:
        """Functions given the data, of shape (m, n, k)."""
        there = self.moments(X, "cov")
        targets = range(there.mean.shape[1])
        each = [draws(there.mean[:, j], there.cov[:, :, j], n, rng) for j in targets]
        return np.stack(each, axis=2)

    def held_out(self) -> Normal:
        """Prediction of every training target from all the others."""
        held = self.posterior.leave_one_out()
        mean = self.units.mean(held.mean + self.mean.offset(self.X)[:, None])
        std = self.units.spread(np.sqrt(held.var)[:, None])
        return Normal(self.shaped(mean), self.shaped(std))


def draws(mean: Floats, cov: Floats, n: int, rng: np.random.Generator) -> Floats:
    """Samples of shape (m, n) from a normal distribution that may have no density.

    A noise-free process is known exactly at its data, so the covariance is singular: a root comes
    from the eigenvectors, eigenvalues that rounding made negative being zero.

    Examples
    --------
    >>> draws(np.array([1.0]), np.zeros((1, 1)), 3, np.random.default_rng(0))
    array([[1., 1., 1.]])
    """
    values, vectors = eigh(cov)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    return np.asarray(mean[:, None] + root @ rng.standard_normal((len(mean), n)))
