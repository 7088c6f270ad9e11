"""Maximum likelihood of factor analysis by Newton's method on the covariance."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from margin.core import FitError, Iterate, Solution, Stop, iterate
from margin.core.types import Bools, Floats
from margin.decomposition.factor._curvature import exact_hessian
from margin.decomposition.probabilistic._covariance_em import Loadings
from margin.decomposition.probabilistic._noise_floor import SHARE
from margin.linalg import cholesky, dense_pairs

_LOG_2PI = float(np.log(2 * np.pi))
_LONGEST = 2.0
_HALVINGS = 40
_FLAT = 1e-10
# Gain per row that is rounding, and the share of a variance that is on its way to nothing.
_FINE = 1e-9
_SMALL = 1e-4


class _Profile(NamedTuple):
    """Likelihood at given noise, the loadings already at their best."""

    value: float
    values: Floats
    vectors: Floats
    scaled: Floats


def newton(
    S: Floats,
    weight: float,
    n_components: int,
    start: Floats,
    floor: Floats,
    *,
    tol: float,
    max_iter: int,
) -> Solution:
    r"""Noise variances :math:`\psi = e^t` at the maximum of the likelihood.

    For known :math:`\Psi` the best loadings come from the eigenvectors of
    :math:`\Psi^{-1/2} S \Psi^{-1/2} = V \Theta V^\top`:
    :math:`W = \Psi^{1/2} V_k (\Theta_k - I)^{1/2}` (decomposition.09). What is left depends on
    :math:`t` alone, with

    .. math:: \frac{\partial f}{\partial t_i} = \tfrac12 \sum_{m > k} (1 - \theta_m) v_{im}^2,
              \qquad H \approx \tfrac12 (R \circ P),

    where :math:`R = \sum_{m>k} \theta_m v_m v_m^\top`, :math:`P = \sum_{m>k} v_m v_m^\top`; what is
    left out of the Hessian vanishes where the model is true. The product of Schur is positive
    semi-definite, so that every step goes down. Where it is not true, as with noise that vanishes,
    that Hessian promises too little: a search that it calls finished is held against the exact one
    (:func:`exact_hessian`) and goes on by it, down to rounding, if that promises more.

    Parameters
    ----------
    S : ndarray of shape (p, p)
        Covariance, divisor n.
    weight : float
        Number of rows.
    n_components : int
        Number of factors.
    start, floor : ndarray of shape (p,)
        First noise variances, and the least.
    tol : float
        Converged when a step promises less than this in the log-likelihood.
    max_iter : int
        Most iterations; with 0 the noise is known, and the loadings are found for it.

    Returns
    -------
    Solution
        ``x`` are the :class:`Loadings`, the objective is minus the log-likelihood.

    References
    ----------
    Joreskog (1967). Some contributions to maximum likelihood factor analysis. Psychometrika 32.
    """
    problem = _Problem(S, weight, n_components, np.log(floor), tol)
    stop = Stop("expected gain of the log-likelihood", tol, max_iter, advice=("raise tol",))
    return iterate(problem.states(np.log(np.maximum(start, floor))), stop, solver="newton")


def known_noise(S: Floats, weight: float, n_components: int, noise: Floats) -> Loadings:
    """Best loadings for noise variances that are known, by one eigendecomposition."""
    problem = _Problem(S, weight, n_components, np.log(noise), 0.0)
    return problem.loadings(np.log(noise), problem.profile(np.log(noise)))


def log_likelihood(S: Floats, weight: float, at: Loadings) -> float:
    """Of rows with the covariance ``S``, their mean known."""
    sigma = at.loadings @ at.loadings.T
    sigma[np.diag_indices_from(sigma)] += at.noise
    factor = cholesky(sigma, name="covariance of the factors")
    misfit = float(np.trace(factor.solve(S)))
    return -0.5 * weight * (len(S) * _LOG_2PI + factor.log_det + misfit)


def first_noise(S: Floats, n_components: int, floor: Floats) -> Floats:
    """A share of the variance of each column that the others do not explain."""
    variances = np.maximum(np.diagonal(S), floor)
    root, share = np.sqrt(variances), max(1 - 0.5 * n_components / len(S), 0.1)
    try:
        factor = cholesky(S / root[:, None] / root, max_jitter=1e-9)
    except FitError:
        return np.asarray(0.5 * variances)
    return np.asarray(share * variances / np.maximum(factor.inverse_diagonal(), 1.0))


@dataclass(frozen=True, eq=False)
class _Problem:
    S: Floats
    weight: float
    n_components: int
    lowest: Floats
    tol: float

    def profile(self, t: Floats) -> _Profile:
        root = np.exp(-0.5 * t)
        scaled = self.S * np.multiply.outer(root, root)
        k = self.n_components
        values, vectors = dense_pairs(scaled, k) if k else (np.empty(0), np.empty((len(t), 0)))
        above = values > 1
        values, vectors = values[above], vectors[:, above]
        inside = float(np.sum(np.log(values) + 1 - values))
        value = t.sum() + inside + float(np.trace(scaled)) + len(t) * _LOG_2PI
        return _Profile(0.5 * self.weight * value, values, vectors, scaled)

    def states(self, t: Floats) -> Iterator[Iterate]:
        """The start and the point after every step."""
        at, n_iter, sharp, fine = self.profile(t), 0, False, _FINE * self.weight
        while True:
            step, promised = self._step(t, at)
            if sharp or promised <= self.tol:
                step, promised = self._sharp_step(t, at)
                sharp = sharp or promised > self.tol or bool(self._small(t).any())
            nearer = None
            if sharp and promised <= self.tol:
                nearer = self._at_bound(t, at)
            unfinished = nearer is not None or (sharp and promised > fine)
            yield Iterate(self.loadings(t, at), at.value, promised, n_iter, unfinished=unfinished)
            nearer = nearer or (self._shorter(t, at, step) if promised > 0 else None)
            if nearer is None and not sharp:
                sharp = True
                step, promised = self._sharp_step(t, at)
                nearer = self._shorter(t, at, step) if promised > 0 else None
            if nearer is None:
                # Only rounding is left to gain: the certificate has the last word.
                yield Iterate(self.loadings(t, at), at.value, promised, n_iter)
                return
            t, at = nearer
            n_iter += 1

    def _step(self, t: Floats, at: _Profile) -> tuple[Floats, float]:
        """Newton's step within the bounds, and what it promises."""
        outside = np.eye(len(t)) - at.vectors @ at.vectors.T
        rest = at.scaled - (at.vectors * at.values) @ at.vectors.T
        gradient = 0.5 * self.weight * (np.diagonal(outside) - np.diagonal(rest))
        hessian = 0.5 * self.weight * rest * outside
        free = self._free(t, gradient)
        step = np.zeros_like(t)
        if free.any():
            inner = hessian[np.ix_(free, free)]
            damping = 1e-8 * max(float(np.trace(inner)) / len(inner), 1e-12 * self.weight)
            inner = inner + damping * np.eye(len(inner))
            step[free] = -cholesky((inner + inner.T) / 2, name="Hessian").solve(gradient[free])
        return self._within(t, gradient, step)

    def _sharp_step(self, t: Floats, at: _Profile) -> tuple[Floats, float]:
        """The step of the exact Hessian, its negative curvatures turned round."""
        values, vectors = np.linalg.eigh(at.scaled)
        gradient, hessian = exact_hessian(values[::-1], vectors[:, ::-1], len(at.values))
        gradient, hessian = self.weight * gradient, self.weight * hessian
        free = self._free(t, gradient)
        step = np.zeros_like(t)
        if free.any():
            curve, axes = np.linalg.eigh(hessian[np.ix_(free, free)])
            curve = np.abs(curve)
            curve = np.maximum(curve, _FLAT * max(float(curve.max()), self.weight))
            step[free] = -axes @ ((axes.T @ gradient[free]) / curve)
        return self._within(t, gradient, step)

    def _free(self, t: Floats, gradient: Floats) -> Bools:
        return np.asarray((t > self.lowest + 1e-12) | (gradient < 0))

    def _within(self, t: Floats, gradient: Floats, step: Floats) -> tuple[Floats, float]:
        """A step that is not too long nor below the bounds, and its promise."""
        step = step * min(1.0, _LONGEST / max(float(np.abs(step).max(initial=0.0)), _LONGEST))
        step = np.maximum(t + step, self.lowest) - t
        return step, max(-0.5 * float(gradient @ step), 0.0)

    def _small(self, t: Floats) -> Bools:
        return np.asarray(t < self.lowest + np.log(_SMALL / SHARE))

    def _at_bound(self, t: Floats, at: _Profile) -> tuple[Floats, _Profile] | None:
        """Small noise variances at their least, where that is no worse: what is left is an ebb."""
        low = self._small(t)
        if not (t[low] > self.lowest[low]).any():
            return None
        new = np.where(low, self.lowest, t)
        trial = self.profile(new)
        return (new, trial) if trial.value < at.value else None

    def _shorter(self, t: Floats, at: _Profile, step: Floats) -> tuple[Floats, _Profile] | None:
        """The longest halving of the step that goes down."""
        length = 1.0
        for _ in range(_HALVINGS):
            new = t + length * step
            trial = self.profile(new)
            if trial.value < at.value:
                return new, trial
            length /= 2
        return None

    def loadings(self, t: Floats, at: _Profile) -> Loadings:
        """Loadings and noise of a point."""
        out = np.zeros((len(t), self.n_components))
        shown = np.exp(0.5 * t)[:, None] * at.vectors * np.sqrt(at.values - 1)
        out[:, : shown.shape[1]] = shown
        return Loadings(out, np.exp(t))
