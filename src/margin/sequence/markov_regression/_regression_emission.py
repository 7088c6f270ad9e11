"""Normal vectors that follow the ones before them, by a regression of each state's own."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from margin.core import check
from margin.core.types import Floats, Indices
from margin.distributions import Moments, MultivariateNormal
from margin.native.chains.moments import MOST_COLUMNS, weighted_moments
from margin.native.rows.densities import gaussian_log_density
from margin.sequence.hidden_markov.emissions._emission import Emission
from margin.sequence.hidden_markov.emissions._normal_emission import NormalEmission, NormalLaws

_LARGEST = 1e70  # its fourth power is a number


@dataclass(frozen=True)
class RegressionLaws:
    """Weights (K, d, p) of what came before, levels (K, d), and noise (K, d, d)."""

    weights: Floats
    noise: NormalLaws

    @property
    def level(self) -> Floats:
        """Intercept of every state."""
        return self.noise.mean

    @cached_property
    def roots(self) -> Floats:
        """Of the noise, applied to a row less its regression: upper triangular, zero below."""
        inner, _ = self.noise.roots
        k, d, p = self.weights.shape
        out = np.zeros((k, d + p, d + p))
        out[:, :d, :d] = inner
        out[:, :d, d:] = -inner @ self.weights
        return out


@dataclass(frozen=True)
class RegressionEmission(Emission):
    r"""Rows are windows: what is seen, then what came before, nearest first.

    Windows with a gap say nothing: the likelihood is conditional on the numbers that begin a
    sequence, or begin again after a gap.

    Parameters
    ----------
    noise : NormalEmission
        Covariances and their prior.
    n_features : int
    fit_intercept : bool
    before : tuple of ndarray
        Mean and covariance of what came before, to draw from.
    """

    noise: NormalEmission
    n_features: int
    fit_intercept: bool = True
    before: tuple[Floats, Floats] = (np.zeros(0), np.zeros((0, 0)))

    def checked(
        self, owner: object, rows: Floats, weight: Floats | None = None
    ) -> "RegressionEmission":
        d = self.n_features
        largest = float(np.abs(rows[~np.isnan(rows)]).max(initial=0.0))
        if largest and not 1 / _LARGEST < largest < _LARGEST:
            wanted = f"of numbers between {1 / _LARGEST:g} and {_LARGEST:g}, for their squares"
            raise check.fail(owner, "X", wanted, largest)
        whole = ~np.isnan(rows).any(axis=1)
        past, each = rows[whole, d:], None if weight is None else weight[whole]
        mean, spread = np.zeros(rows.shape[1] - d), np.zeros((rows.shape[1] - d,) * 2)
        if len(past):
            share = np.full(len(past), 1.0 / len(past)) if each is None else each / each.sum()
            mean = share @ past
            spread = (share[:, None] * (past - mean)).T @ (past - mean)
        noise = self.noise.checked(owner, rows[:, :d], weight)
        return replace(self, noise=noise, before=(mean, spread))

    def log_prob(self, laws: RegressionLaws, rows: Floats, n_threads: int) -> Floats:
        k, d, p = laws.weights.shape
        _, log_det = laws.noise.roots
        constants = -0.5 * (log_det + d * np.log(2 * np.pi))
        centre = np.concatenate([laws.level, np.zeros((k, p))], axis=1)
        table = gaussian_log_density(rows, centre, laws.roots, constants, n_threads)
        table[np.isnan(rows).any(axis=1)] = 0.0
        return table

    def statistics(self, laws: Any | None, rows: Floats, shares: Floats, n_threads: int) -> Any:
        """Moments of whole windows."""
        gaps = np.isnan(rows).any(axis=1)
        if gaps.any():
            rows, shares = np.ascontiguousarray(rows[~gaps]), np.ascontiguousarray(shares[~gaps])
        if rows.shape[1] > MOST_COLUMNS or not len(rows):
            k, size = shares.shape[1], rows.shape[1]
            none = Moments(np.zeros(k), np.zeros((k, size)), np.zeros((k, size, size)))
            return Moments.of(rows, shares) if len(rows) else none
        total = np.maximum(shares.sum(axis=0), 1e-300)[:, None]
        centre = np.ascontiguousarray(shares.T @ rows / total)
        weight, first, second = weighted_moments(rows, shares, centre, n_threads, diagonal=False)
        shift = first / np.maximum(weight, 1e-300)[:, None]
        return Moments(weight, centre + shift, second - shift[:, :, None] * first[:, None, :])

    def fit(self, stats: Any) -> RegressionLaws:
        """Least squares of each state, then its noise as in any normal law."""
        d, mean, scatter = self.n_features, stats.mean, stats.scatter
        if not self.fit_intercept:
            # About zero in the place of the means.
            products = mean[:, :, None] * mean[:, None, :]
            scatter = scatter + stats.weight[:, None, None] * products
        across, inner = scatter[:, :d, d:], scatter[:, d:, d:]
        rounding = 1e-24 * stats.weight[:, None] * mean[:, d:] ** 2
        weights = across @ _inverse(inner, rounding)
        level = mean[:, :d] - np.einsum("kdp,kp->kd", weights, mean[:, d:])
        rest = scatter[:, :d, :d] - weights @ np.swapaxes(across, 1, 2)
        rest = 0.5 * (rest + np.swapaxes(rest, 1, 2))
        np.einsum("kii->ki", rest)[...] = np.maximum(np.einsum("kii->ki", rest), 0.0)
        level = level if self.fit_intercept else np.zeros_like(level)
        return RegressionLaws(weights, self._noise(Moments(stats.weight, level, rest)))

    def _noise(self, stats: Moments) -> NormalLaws:
        if self.noise.covariance_type in ("full", "tied"):
            return self.noise.fit(stats)
        assert self.noise.psi is not None
        weight = np.maximum(stats.weight, 1e-12)[:, None]
        variance = (np.einsum("kii->ki", stats.scatter) + self.noise.psi) / weight
        if self.noise.covariance_type == "spherical":
            variance = np.broadcast_to(variance.mean(axis=1, keepdims=True), variance.shape)
        return NormalLaws(stats.mean, variance[:, :, None] * np.eye(self.n_features))

    def log_prior(self, laws: RegressionLaws) -> float:
        return self.noise.log_prior(laws.noise)

    def members(self, laws: RegressionLaws) -> MultivariateNormal:
        """Level and noise of every state."""
        return laws.noise.distribution

    def n_parameters(self, laws: RegressionLaws) -> int:
        level = 0 if self.fit_intercept else laws.level.size
        return int(laws.weights.size + self.noise.n_parameters(laws.noise) - level)


def windows(rows: Floats, offsets: Indices, order: int) -> Floats:
    """Every row with the ``order`` rows before it in its sequence, nearest first; NaN before any.

    Examples
    --------
    >>> import numpy as np
    >>> windows(np.array([[1.0], [2.0], [3.0]]), np.array([0, 2, 3]), 1)
    array([[ 1., nan],
           [ 2.,  1.],
           [ 3., nan]])
    """
    parts, since = [rows], np.arange(len(rows)) - np.repeat(offsets[:-1], np.diff(offsets))
    for lag in range(1, order + 1):
        back = np.full_like(rows, np.nan)
        back[lag:] = rows[: max(len(rows) - lag, 0)]
        back[since < lag] = np.nan
        parts.append(back)
    return np.ascontiguousarray(np.concatenate(parts, axis=1))


def _inverse(S: Floats, rounding: Floats) -> Floats:
    """Of positive semidefinite matrices, with what is not determined set to zero.

    What is no larger on the diagonal than ``rounding`` does not vary.
    """
    square = np.einsum("kii->ki", S)
    varies = square > rounding
    scale = np.where(varies, 1.0 / np.sqrt(np.where(varies, square, 1.0)), 0.0)
    unit = _scaled(S, scale)
    inverse = np.linalg.pinv(unit, rcond=1e-13, hermitian=True) if unit.size else unit
    return _scaled(np.asarray(inverse, dtype=np.float64), scale)


def _scaled(S: Floats, scale: Floats) -> Floats:
    """Rows and columns one after the other: the product of two scales may overflow."""
    return np.asarray(scale[:, :, None] * S * scale[:, None, :])
