"""Mixtures of normal vectors in every state."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import logsumexp

from margin.core.types import Floats
from margin.distributions import MixtureDistribution
from margin.sequence.hidden_markov.emissions._emission import Emission
from margin.sequence.hidden_markov.emissions._normal_emission import NormalEmission, NormalLaws


@dataclass(frozen=True)
class MixtureLaws:
    """Shares (K, M) of the components of every state, and K M normal laws, state by state."""

    weights: Floats
    normals: NormalLaws


@dataclass(frozen=True)
class MixtureStatistics:
    """Moments of all components of all states; they add up."""

    moments: Any
    mass: Floats

    def __add__(self, other: "MixtureStatistics") -> "MixtureStatistics":
        return MixtureStatistics(self.moments + other.moments, self.mass + other.mass)


@dataclass(frozen=True)
class MixtureEmission(Emission):
    """``n_mix`` normal components for every state.

    The share of a row in a component is the posterior of state and component given the whole
    sequence: the responsibility conditions on the row too.
    """

    n_mix: int
    normal: NormalEmission

    def checked(
        self, owner: object, rows: Floats, weight: Floats | None = None
    ) -> "MixtureEmission":
        return MixtureEmission(self.n_mix, self.normal.checked(owner, rows, weight))

    def _joint(self, laws: MixtureLaws, rows: Floats, n_threads: int) -> Floats:
        table = self.normal.log_prob(laws.normals, rows, n_threads)
        with np.errstate(divide="ignore"):
            weight = np.log(laws.weights)
        return table.reshape(len(rows), *weight.shape) + weight

    def log_prob(self, laws: MixtureLaws, rows: Floats, n_threads: int) -> Floats:
        return np.ascontiguousarray(logsumexp(self._joint(laws, rows, n_threads), axis=2))

    def statistics(self, laws: Any | None, rows: Floats, shares: Floats, n_threads: int) -> Any:
        if laws is None:
            parts = self._split(rows, shares)
        else:
            joint = self._joint(laws, rows, n_threads)
            total = logsumexp(joint, axis=2, keepdims=True)
            parts = np.exp(joint - np.where(np.isneginf(total), 0.0, total))
        each = (shares[:, :, None] * parts).reshape(len(rows), -1)
        mass = each.sum(axis=0)
        lost = mass <= 1e-10 * max(float(mass.sum()), 1e-300)
        each[:, lost] = 1e-8  # the law of all rows: never a fit to nothing
        normals = None if laws is None else laws.normals
        each = np.ascontiguousarray(each)
        moments = self.normal.statistics(normals, rows, each, n_threads)
        return MixtureStatistics(moments, mass.reshape(shares.shape[1], -1))

    def _split(self, rows: Floats, shares: Floats) -> Floats:
        """Components at the start: slices of each state along its widest direction."""
        points = self.features(rows)
        parts = np.empty((*shares.shape, self.n_mix))
        for k in range(shares.shape[1]):
            w = shares[:, k] / max(float(shares[:, k].sum()), 1e-300)
            away = points - w @ points
            _, axes = np.linalg.eigh((away * w[:, None]).T @ away)
            along = away @ axes[:, -1]
            order = np.argsort(along, kind="stable")
            below = np.empty(len(rows))
            below[order] = np.cumsum(w[order])
            place = np.minimum((below * self.n_mix).astype(int), self.n_mix - 1)
            parts[:, k] = 0.9 * np.eye(self.n_mix)[place] + 0.1 / self.n_mix
        return parts

    def fit(self, stats: MixtureStatistics) -> MixtureLaws:
        total = stats.mass.sum(axis=1, keepdims=True)
        even = np.full_like(stats.mass, 1.0 / self.n_mix)
        weights = np.where(total > 0, stats.mass / np.where(total > 0, total, 1.0), even)
        return MixtureLaws(weights, self.normal.fit(stats.moments))

    def log_prior(self, laws: MixtureLaws) -> float:
        return self.normal.log_prior(laws.normals)

    def members(self, laws: MixtureLaws) -> list[MixtureDistribution]:
        joint = laws.normals.distribution
        return [
            MixtureDistribution(w, [joint[k * self.n_mix + m] for m in range(self.n_mix)])
            for k, w in enumerate(laws.weights)
        ]

    def n_parameters(self, laws: MixtureLaws) -> int:
        return self.normal.n_parameters(laws.normals) + int(laws.weights.size - len(laws.weights))
