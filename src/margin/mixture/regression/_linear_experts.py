"""Linear regressions that share the rows among them: parameters, E step and M step."""

from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import NamedTuple

import numpy as np

from margin.core.types import Floats
from margin.inference import Expectation, Repaired, Soft
from margin.mixture.regression._target_rows import TargetRows, TargetTotals

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
class ExpertSums:
    r"""What the M step needs of rows and their shares: sums over rows.

    Parameters
    ----------
    factors : ndarray of shape (k, q + 1, q + 1)
        Triangular factors of the weighted rows with their targets as a last column: they hold the
        least squares problem of every regression, and those of two blocks combine into one.
    total : ndarray of shape (k,)
        Weights of the regressions.
    pull : ndarray of shape (q, k)
        Gradient of the gate, its penalty left aside.
    """

    factors: Floats
    total: Floats
    pull: Floats

    @classmethod
    def of(
        cls, Z: Floats, y: Floats, weight: Floats, share: Floats, at: LinearExperts
    ) -> "ExpertSums":
        """Sums over rows with shares of shape (n, k)."""
        counted = share * weight[:, None]
        both = np.column_stack([Z, y])
        factors = np.stack([_triangle(both * np.sqrt(own)[:, None]) for own in counted.T])
        pull = Z.T @ (counted - weight[:, None] * np.exp(at.log_choice(Z)))
        return cls(factors, counted.sum(axis=0), pull)

    def __add__(self, other: "ExpertSums") -> "ExpertSums":
        """Sums over the rows of both."""
        pairs = zip(self.factors, other.factors, strict=True)
        factors = np.stack([_triangle(np.vstack(pair)) for pair in pairs])
        return ExpertSums(factors, self.total + other.total, self.pull + other.pull)

    def regression(self, k: int) -> tuple[Floats, float]:
        """Coefficients of a regression, and the sum of its squared residuals."""
        left, right = self.factors[k][:, :-1], self.factors[k][:, -1]
        w = np.linalg.lstsq(left, right, rcond=None)[0]
        return w, float(np.sum((right - left @ w) ** 2))


def _triangle(rows: Floats) -> Floats:
    """Triangular factor of some rows, square also where they are few."""
    out = np.zeros((rows.shape[1], rows.shape[1]))
    triangle: Floats = np.asarray(np.linalg.qr(rows, mode="r"))
    out[: len(triangle)] = triangle
    return out


@dataclass(frozen=True, eq=False)
class ExpertSteps:
    r"""Expectation maximisation of :math:`\sum_i s_i \log \sum_k g_k(x_i)\, N(y_i; w_k^\top z_i,
    \sigma_k^2)\, e^{-\epsilon / 2\sigma_k^2} - \tfrac\alpha2 \|V\|^2`.

    The gate is constant (``gated`` False), or a softmax of linear functions ``V``, which the M step
    improves by one step under a fixed bound of its curvature (Böhning): generalised EM, and
    monotone.

    Parameters
    ----------
    rows : TargetRows
    totals : TargetTotals
    gated : bool
    floor : float
        :math:`\epsilon`, variance added, which keeps the likelihood bounded.
    alpha : float
        Penalty of the gate.
    inverse : ndarray of shape (q, q)
        :math:`2 (Z^\top S Z + 2 \alpha I)^{-1}`.
    """

    rows: TargetRows
    totals: TargetTotals
    gated: bool
    floor: float
    alpha: float
    inverse: Floats

    @classmethod
    def of(
        cls, rows: TargetRows, totals: TargetTotals, *, gated: bool, floor: float, alpha: float
    ) -> "ExpertSteps":
        """The problem, its curvature bounded once."""
        gram = totals.gram + 2 * alpha * np.eye(len(totals.gram))
        inverse: Floats = np.asarray(2 * np.linalg.pinv(gram, hermitian=True), dtype=np.float64)
        return cls(rows, totals, gated, floor, alpha, inverse)

    def log_joint(self, Z: Floats, y: Floats, at: LinearExperts) -> Floats:
        """Log density of every row and regression, less what the floor costs."""
        away = (y[:, None] - Z @ at.weights) ** 2 + self.floor
        height = -0.5 * (away / at.variances + np.log(at.variances) + _LOG_2PI)
        return np.asarray(height + at.log_choice(Z))

    def expect(self, at: LinearExperts) -> Expectation[ExpertSums]:
        """Mean bound, and the sums over rows by their shares."""
        value, sums = 0.0, None
        for Z, y, weight in self.rows:
            share, bounds = Soft()(self.log_joint(Z, y, at))
            value += float(weight @ bounds)
            part = ExpertSums.of(Z, y, weight, share, at)
            sums = part if sums is None else sums + part
        assert sums is not None
        if self.gated:
            value -= 0.5 * self.alpha * float((at.gate**2).sum())
        return Expectation(value / self.totals.weight, sums)

    def maximise(
        self, sums: ExpertSums, at: LinearExperts
    ) -> LinearExperts | Repaired[LinearExperts]:
        """Regressions to their shares, and a better gate."""
        total = sums.total
        alive = total > _DEAD * self.totals.weight
        weights, variances = at.weights.copy(), at.variances.copy()
        for k in np.flatnonzero(alive):
            weights[:, k], error = sums.regression(int(k))
            variances[k] = error / total[k] + self.floor
        if self.gated:
            gate = at.gate + self.inverse @ (sums.pull - self.alpha * at.gate)
        else:
            with np.errstate(divide="ignore"):
                gate = np.log(np.where(alive, total, 0.0) / total[alive].sum())[None]
        new = LinearExperts(weights, variances, gate)
        rests = ~alive & (at.variances > 0) & np.isfinite(at.gate).all(axis=0)
        told = tuple(f"component {k} has no rows left: it rests" for k in np.flatnonzero(rests))
        return Repaired(new, told) if told else new

    def start(self, k: int, rng: np.random.Generator) -> LinearExperts:
        """Regressions through a few rows each."""
        n, q = self.totals.n_rows, len(self.totals.gram)
        alone = LinearExperts(np.zeros((q, 1)), np.ones(1), np.zeros((1, 1)))
        whole = [
            ExpertSums.of(Z, y, np.ones(len(y)), np.ones((len(y), 1)), alone)
            for Z, y, _ in self.rows
        ]
        every = reduce(add, whole)
        usual, error = every.regression(0)
        spread = max(error / n, self.floor)
        chance = self.totals.weights / self.totals.weight
        few = [rng.choice(n, size=min(n, q + 2), p=chance) for _ in range(k)]
        rows, targets = self.rows.some(np.concatenate(few))
        weights = np.empty((q, k))
        for j, (Z, y) in enumerate(zip(np.split(rows, k), np.split(targets, k), strict=True)):
            step = np.linalg.lstsq(Z, y - Z @ usual, rcond=1e-3)[0]
            weights[:, j] = usual + step
        gate = np.zeros((q if self.gated else 1, k))
        if not self.gated:
            gate -= np.log(k)
        return LinearExperts(weights, np.full(k, spread), gate)


def exact_repairs(experts: LinearExperts, floor: float) -> tuple[str, ...]:
    """What to tell of regressions that rest, or that their rows lie on exactly."""
    constant = len(experts.gate) == 1
    alive = (
        ~np.isneginf(experts.gate[0]) if constant else np.ones(len(experts.variances), dtype=bool)
    )
    told = [f"component {k} has no rows left: it rests" for k in np.flatnonzero(~alive)]
    for k in np.flatnonzero(alive & (experts.variances <= floor * (1 + 1e-6))):
        told.append(f"component {k} goes through its rows exactly: reg_var is all its variance")
    return tuple(told)


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
