"""The parameters of a Gaussian mixture as one frozen value."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from margin.core import FitError
from margin.core.types import Floats, Places
from margin.distributions import MixtureDistribution, MultivariateNormal
from margin.linalg import cholesky

LOG_2PI = float(np.log(2 * np.pi))
KINDS = ("full", "tied", "diag", "spherical")
# In scikit-learn's words too, which people search for.
COLLAPSED = (
    "a component has collapsed onto too few distinct rows, where the likelihood has no bound: "
    "Fitting the mixture model failed because some components have ill-defined empirical "
    "covariance (for instance caused by singleton or collapsed samples). Try to decrease the "
    "number of components, increase reg_covar, or scale the input data."
)


@dataclass(frozen=True, eq=False)
class Gaussians:
    """Weights, means and covariances, with the factors that densities need.

    Parameters
    ----------
    weights : ndarray of shape (k,)
        Zero for a component that has been put to rest.
    means : ndarray of shape (k, d)
    covariances : ndarray
        Of shape (k, d, d), (d, d), (k, d) or (k,), as ``kind`` says.
    kind : {"full", "tied", "diag", "spherical"}
    roots : ndarray
        Inverses of the lower factors of the covariances, in the shape of these; of the standard
        deviations where they are diagonal.
    """

    weights: Floats
    means: Floats
    covariances: Floats
    kind: str
    roots: Floats

    @classmethod
    def of(
        cls,
        weights: Floats,
        means: Floats,
        covariances: Floats,
        kind: str,
        *,
        max_jitter: float = 0.0,
    ) -> tuple[Self, tuple[str, ...]]:
        """The value, and what was mended to factor the covariances.

        Raises
        ------
        FitError
            A covariance is singular.
        """
        if kind in ("diag", "spherical"):
            if not (np.isfinite(covariances).all() and (covariances > 0).all()):
                raise FitError(COLLAPSED)
            return cls(weights, means, covariances, kind, 1 / np.sqrt(covariances)), ()
        matrices = covariances.reshape(-1, *covariances.shape[-2:]).copy()
        roots, repairs = np.empty_like(matrices), []
        for j, matrix in enumerate(matrices):
            try:
                factor = cholesky(matrix, name="covariance", max_jitter=max_jitter)
            except (FitError, ValueError) as error:
                raise FitError(COLLAPSED) from error
            if factor.jitter:
                matrices[j] += factor.jitter * np.eye(len(matrix))
                repairs.append(f"component {j}: {factor.repair}")
            roots[j] = factor.inverse_lower()
        shape = covariances.shape
        return cls(weights, means, matrices.reshape(shape), kind, roots.reshape(shape)), tuple(
            repairs
        )

    @property
    def dim(self) -> int:
        """Number of columns."""
        return int(self.means.shape[1])

    @property
    def n_parameters(self) -> int:
        """Free numbers: means, covariances, and all weights but one (mixture.03)."""
        k, d = self.means.shape
        spread = {"full": k * d * (d + 1) // 2, "tied": d * (d + 1) // 2, "diag": k * d}
        return int(k * d + spread.get(self.kind, k) + k - 1)

    @cached_property
    def log_weights(self) -> Floats:
        """Logarithms of the weights; ``-inf`` for a component at rest."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(self.weights))

    @cached_property
    def variances(self) -> Floats:
        """Of diagonal kinds, of shape (k, d)."""
        each = self.covariances if self.kind == "diag" else self.covariances[:, None]
        return np.broadcast_to(each, self.means.shape)

    @cached_property
    def matrices(self) -> Floats:
        """Covariances of all components, of shape (k, d, d)."""
        k, d = self.means.shape
        if self.kind in ("diag", "spherical"):
            return np.asarray(self.variances[:, :, None] * np.eye(d))
        return np.broadcast_to(self.covariances, (k, d, d))

    @cached_property
    def traces(self) -> Floats:
        """Trace of the inverse of every covariance."""
        if self.kind in ("diag", "spherical"):
            return np.asarray((1 / self.variances).sum(axis=1))
        each = np.square(self.roots).sum(axis=(-2, -1))
        return np.asarray(np.broadcast_to(each, len(self.means)))

    @cached_property
    def precisions_cholesky(self) -> Floats:
        """Upper factors of the precisions, or their square roots where they are diagonal."""
        if self.kind in ("diag", "spherical"):
            return self.roots
        return np.ascontiguousarray(np.swapaxes(self.roots, -1, -2))

    @cached_property
    def precisions(self) -> Floats:
        """Inverses of the covariances."""
        if self.kind in ("diag", "spherical"):
            return np.asarray(self.roots**2)
        return np.asarray(np.swapaxes(self.roots, -1, -2) @ self.roots)

    def part(self, seen: Places) -> tuple[Floats, Floats]:
        """Inverse factors and log normalisers of the marginals of some columns."""
        k, d = self.means.shape
        if len(seen) == d and self.kind in ("full", "tied"):
            roots = np.ascontiguousarray(np.broadcast_to(self.roots, (k, d, d)))
        else:
            block = self.matrices[:, seen[:, None], seen]
            eye = np.broadcast_to(np.eye(len(seen)), block.shape)
            roots = np.tril(np.linalg.solve(np.linalg.cholesky(block), eye))
        log_det = np.log(np.diagonal(roots, axis1=1, axis2=2)).sum(axis=1)
        return roots, log_det - 0.5 * len(seen) * LOG_2PI

    def distribution(self) -> MixtureDistribution:
        """The mixture as a distribution, to be drawn from, marginalised and conditioned."""
        if self.kind in ("diag", "spherical"):
            members: Any = MultivariateNormal(self.means, variance=self.variances)
        else:
            members = MultivariateNormal(self.means, np.array(self.matrices))
        return MixtureDistribution(self.weights / self.weights.sum(), members)
