"""Linear regressions that share the rows among them: parameters, E step and M step."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from margin.core.types import Floats
from margin.inference import Expectation, Repaired, Soft

_LOG_2PI = float(np.log(2 * np.pi))
_DEAD = 1e-12


class LinearExperts(NamedTuple):
    r"""Regressions :math:`y = w_k^\top z + \epsilon` and how rows choose among them.

    Parameters
    ----------
    weights : ndarray of shape (q, k)
        :math:`w_k`; ``z`` is a row with a one for the intercept.
    variances : ndarray of shape (k,)
    gate : ndarray of shape (q, k) or (1, k)
        Logits of the choice are ``z @ gate``, or the gate itself where it is the same for all.
    """

    weights: Floats
    variances: Floats
    gate: Floats

    def log_choice(self, Z: Floats) -> Floats:
        """Log probability of every regression for each row."""
        constant = len(self.gate) == 1
        logits = np.repeat(self.gate, len(Z), axis=0) if constant else Z @ self.gate
        most = logits.max(axis=1, keepdims=True)
        most = np.where(np.isneginf(most), 0.0, most)
        with np.errstate(divide="ignore"):
            return np.asarray(
                logits - most - np.log(np.exp(logits - most).sum(axis=1, keepdims=True))
            )


@dataclass(frozen=True, eq=False)
class ExpertSteps:
    r"""Expectation maximisation of :math:`\sum_i s_i \log \sum_k g_k(x_i)\, N(y_i; w_k^\top z_i,
    \sigma_k^2)\, e^{-\epsilon / 2\sigma_k^2} - \tfrac\alpha2 \|V\|^2`.

    The gate is constant (``gated`` False), or a softmax of linear functions ``V``, which the M step
    improves by one step under a fixed bound of its curvature (Böhning): generalised EM, and
    monotone.

    Parameters
    ----------
    Z : ndarray of shape (n, q)
        Rows with a column of ones.
    y, weight : ndarray of shape (n,)
    gated : bool
    floor : float
        :math:`\epsilon`, variance added, which keeps the likelihood bounded.
    alpha : float
        Penalty of the gate.
    inverse : ndarray of shape (q, q)
        :math:`2 (Z^\top S Z + 2 \alpha I)^{-1}`.
    """

    Z: Floats
    y: Floats
    weight: Floats
    gated: bool
    floor: float
    alpha: float
    inverse: Floats

    @classmethod
    def of(
        cls, Z: Floats, y: Floats, weight: Floats, *, gated: bool, floor: float, alpha: float
    ) -> "ExpertSteps":
        """The problem, its curvature bounded once."""
        gram = (Z * weight[:, None]).T @ Z + 2 * alpha * np.eye(Z.shape[1])
        inverse: Floats = np.asarray(2 * np.linalg.pinv(gram, hermitian=True), dtype=np.float64)
        return cls(Z, y, weight, gated, floor, alpha, inverse)

    def log_joint(self, at: LinearExperts) -> Floats:
        """Log density of every row and regression, less what the floor costs."""
        away = (self.y[:, None] - self.Z @ at.weights) ** 2 + self.floor
        height = -0.5 * (away / at.variances + np.log(at.variances) + _LOG_2PI)
        return np.asarray(height + at.log_choice(self.Z))

    def expect(self, at: LinearExperts) -> Expectation[Floats]:
        """Mean bound, and the shares of the rows."""
        share, bounds = Soft()(self.log_joint(at))
        value = float(self.weight @ bounds)
        if self.gated:
            value -= 0.5 * self.alpha * float((at.gate**2).sum())
        return Expectation(value / float(self.weight.sum()), share)

    def maximise(self, share: Floats, at: LinearExperts) -> LinearExperts | Repaired[LinearExperts]:
        """Regressions to their shares, and a better gate."""
        counted = share * self.weight[:, None]
        total = counted.sum(axis=0)
        alive = total > _DEAD * self.weight.sum()
        weights, variances = at.weights.copy(), at.variances.copy()
        for k in np.flatnonzero(alive):
            half = np.sqrt(counted[:, k])
            weights[:, k] = np.linalg.lstsq(self.Z * half[:, None], self.y * half, rcond=None)[0]
            away = self.y - self.Z @ weights[:, k]
            variances[k] = counted[:, k] @ away**2 / total[k] + self.floor
        if self.gated:
            pull = self.Z.T @ (counted - self.weight[:, None] * np.exp(at.log_choice(self.Z)))
            gate = at.gate + self.inverse @ (pull - self.alpha * at.gate)
        else:
            with np.errstate(divide="ignore"):
                gate = np.log(np.where(alive, total, 0.0) / total[alive].sum())[None]
        new = LinearExperts(weights, variances, gate)
        rests = ~alive & (at.variances > 0) & np.isfinite(at.gate).all(axis=0)
        told = tuple(f"component {k} has no rows left: it rests" for k in np.flatnonzero(rests))
        return Repaired(new, told) if told else new

    def start(self, k: int, rng: np.random.Generator) -> LinearExperts:
        """Regressions through a few rows each."""
        n, q = self.Z.shape
        usual = np.linalg.lstsq(self.Z, self.y, rcond=None)[0]
        spread = max(float(np.var(self.y - self.Z @ usual)), self.floor)
        chance = self.weight / self.weight.sum()
        weights = np.empty((q, k))
        for j in range(k):
            few = rng.choice(n, size=min(n, q + 2), p=chance)
            step = np.linalg.lstsq(self.Z[few], self.y[few] - self.Z[few] @ usual, rcond=1e-3)[0]
            weights[:, j] = usual + step
        gate = np.zeros((q if self.gated else 1, k))
        if not self.gated:
            gate -= np.log(k)
        return LinearExperts(weights, np.full(k, spread), gate)


def to_vector(at: LinearExperts) -> Floats:
    """Free numbers of the experts."""
    return np.concatenate([at.weights.ravel(), np.log(at.variances), at.gate.ravel()])


@dataclass(frozen=True)
class FromVector:
    """The way back from free numbers."""

    q: int
    k: int
    gated: bool

    def __call__(self, free: Floats) -> LinearExperts:
        """The experts."""
        q, k = self.q, self.k
        with np.errstate(over="ignore", under="ignore"):
            variances = np.maximum(np.exp(free[q * k : q * k + k]), 1e-300)
        gate = free[q * k + k :].reshape(-1, k)
        return LinearExperts(free[: q * k].reshape(q, k), variances, gate)
