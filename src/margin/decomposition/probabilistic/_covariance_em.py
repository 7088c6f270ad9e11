"""Expectation maximisation of latent normal models on a covariance."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from margin.core import Solution
from margin.core.types import Floats
from margin.decomposition.probabilistic._second_moments import SecondMoments
from margin.inference import Expectation, Measure, Point, Squarem, expectation_maximisation

_LOG_2PI = float(np.log(2 * np.pi))


class Loadings(NamedTuple):
    """Parameters: loadings of shape (p, k) and noise variances of shape (p,)."""

    loadings: Floats
    noise: Floats


class _Sums(NamedTuple):
    cross: Floats
    second: Floats


@dataclass(frozen=True)
class Gain(Measure):
    """Gain of the log-likelihood in a step, as it is."""

    kind = "gain of the log-likelihood"

    def __call__(
        self, before: Point[Loadings, _Sums] | None, after: Point[Loadings, _Sums]
    ) -> float | None:
        """Gain since the point before."""
        return None if before is None else abs(after.bound - before.bound)


def covariance_em(
    stats: SecondMoments,
    start: Loadings,
    floor: Floats,
    *,
    isotropic: bool,
    tol: float,
    max_iter: int,
    measure: Measure | None = None,
    solver: str = "expectation maximisation",
) -> Solution:
    r"""Loadings :math:`W` and noise :math:`\Psi` of :math:`\Sigma = W W^\top + \Psi` for given
    :math:`S`.

    With :math:`G = (I + W^\top\Psi^{-1}W)^{-1}` and :math:`B = \Psi^{-1} W G` the E step is
    :math:`C = S B`, :math:`M = G + B^\top C`, the M step :math:`W = C M^{-1}`,
    :math:`\Psi = \mathrm{diag}(S - W C^\top)`, or its mean where noise is isotropic. Only products
    with :math:`S` are needed (decomposition.06, decomposition.09).

    Parameters
    ----------
    stats : SecondMoments
        :math:`S` and the number of rows.
    start : Loadings
        Where to begin.
    floor : ndarray of shape (p,)
        Least noise variances.
    isotropic : bool
        Whether all columns share one noise variance.
    tol, max_iter, measure, solver
        As for :func:`margin.inference.expectation_maximisation`.

    Returns
    -------
    Solution
        ``x`` are the loadings and the noise, the objective is minus the log-likelihood.
    """
    steps = _Steps(stats, floor, isotropic)
    shape = start.loadings.shape
    accelerate = Squarem(_to_vector, lambda v: _from_vector(v, shape, floor))
    return expectation_maximisation(
        steps.expect,
        steps.maximise,
        [start],
        tol=tol,
        max_iter=max_iter,
        measure=measure,
        accelerate=accelerate,
        solver=solver,
    )


@dataclass(frozen=True, eq=False)
class _Steps:
    stats: SecondMoments
    floor: Floats
    isotropic: bool

    def expect(self, at: Loadings) -> Expectation[_Sums]:
        scaled = at.loadings / at.noise[:, None]
        k = scaled.shape[1]
        inner = np.eye(k) + at.loadings.T @ scaled
        posterior = np.linalg.inv(inner)
        posterior = (posterior + posterior.T) / 2
        weights = scaled @ posterior
        cross = self.stats.product(weights)
        second = posterior + weights.T @ cross
        log_det = np.linalg.slogdet(inner)[1] + np.log(at.noise).sum()
        misfit = (self.stats.diagonal / at.noise).sum() - np.vdot(scaled, cross)
        bound = -0.5 * self.stats.weight * (len(at.noise) * _LOG_2PI + log_det + misfit)
        return Expectation(float(bound), _Sums(cross, (second + second.T) / 2))

    def maximise(self, sums: _Sums, at: Loadings) -> Loadings:
        loadings = np.asarray(np.linalg.solve(sums.second, sums.cross.T).T, dtype=np.float64)
        noise = self.stats.diagonal - np.einsum("jk,jk->j", loadings, sums.cross)
        if self.isotropic:
            noise = np.full_like(noise, noise.mean())
        return Loadings(loadings, np.maximum(noise, self.floor))


def _to_vector(at: Loadings) -> Floats:
    return np.concatenate([at.loadings.ravel(), np.log(at.noise)])


def _from_vector(vector: Floats, shape: tuple[int, ...], floor: Floats) -> Loadings:
    size = shape[0] * shape[1]
    with np.errstate(over="ignore"):
        noise = np.exp(np.minimum(vector[size:], 700.0))
    return Loadings(vector[:size].reshape(shape), np.maximum(noise, floor))
