"""Contrastive divergence: a few Gibbs steps in the place of the model's expectation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple, cast

import numpy as np

from margin.core import Iterate, Solution, Stop, iterate
from margin.core.types import Floats, Indices
from margin.graphical.learning.markov._log_linear import LogLinear
from margin.graphical.learning.markov._pseudo_likelihood import _cells_by_state


def contrast(
    family: LogLinear,
    codes: Indices,
    row_weight: Floats,
    rng: np.random.Generator,
    *,
    n_sweeps: int = 1,
    persistent: bool = False,
    alpha: float = 0.0,
    step: float = 0.5,
    max_iter: int = 400,
    tol: float = 0.02,
) -> Solution:
    r"""Weights by steps along features of the data less features of short Gibbs chains.

    :math:`w \leftarrow w + \eta_t (\langle f \rangle_{data} - \langle f \rangle_{chains})`.
    Each row starts a chain (or, if ``persistent``, continues one) of ``n_sweeps`` Gibbs sweeps. The
    gradient is biased for few sweeps but needs no partition function. Steps shrink as
    :math:`\eta_t = \eta / (1 + t / T)` with :math:`T` a quarter of the steps, and the answer is the
    mean over the second half of them.

    The certificate is the largest entry of the mean gradient over the second half.
    """
    keep = row_weight > 0
    codes, row_weight = codes[keep], row_weight[keep]
    share = row_weight / row_weight.sum()
    shown = family.statistics(family.counts(codes, share))

    def gradient(weights: Floats, chains: Indices) -> Floats:
        for _ in range(n_sweeps):
            _sweep(family, weights, chains, rng)
        return shown - family.statistics(family.counts(chains, share)) - alpha * weights

    def states() -> Iterator[Iterate]:
        at = _Walk(np.zeros(family.size), np.zeros(family.size), np.zeros(family.size), 0)
        chains = codes.copy()
        yield Iterate(at, 0.0)
        for t in range(max_iter):
            slope = gradient(at.weights, chains if persistent else codes.copy())
            at = at.moved(slope, step / (1 + 4 * t / max_iter), t >= max_iter - half)
            yield Iterate(at, float(abs(slope).max(initial=0.0)), None, t + 1)

    half = max(1, max_iter // 2)
    rules = Stop("mean stochastic gradient", tol, max_iter, unit="step", keep="last", advice=())
    sweeps = f"{n_sweeps} sweep{'s' * (n_sweeps > 1)}"
    solution = iterate(
        states(),
        rules,
        solver=f"contrastive divergence, {sweeps}" + (", persistent chains" if persistent else ""),
        finish=lambda last: last._replace(certificate=last.x.level),
    )
    trace = {"objective": solution.trace["objective"][1:]}
    return replace(solution, x=cast(_Walk, solution.x).answer, trace=trace)


class _Walk(NamedTuple):
    """Weights, and sums of weights and gradients over the second half of the steps."""

    weights: Floats
    sum_weights: Floats
    sum_gradients: Floats
    n_summed: int

    def moved(self, gradient: Floats, size: float, counts: bool) -> _Walk:
        """After a step, which counts for the means or does not."""
        weights = self.weights + size * gradient
        if not counts:
            return self._replace(weights=weights)
        return _Walk(
            weights,
            self.sum_weights + weights,
            self.sum_gradients + gradient,
            self.n_summed + 1,
        )

    @property
    def answer(self) -> Floats:
        """Mean of the weights; the last ones where none were counted yet."""
        return self.sum_weights / self.n_summed if self.n_summed else self.weights

    @property
    def level(self) -> float | None:
        """Largest entry of the mean gradient."""
        if not self.n_summed:
            return None
        return float(abs(self.sum_gradients / self.n_summed).max(initial=0.0))


def _sweep(family: LogLinear, weights: Floats, chains: Indices, rng: np.random.Generator) -> None:
    """One Gibbs sweep of all chains, in place."""
    logs = [t.ravel() for t in family.log_tables(weights)]
    for variable, card in enumerate(family.cards):
        score = np.zeros((len(chains), card))
        for c, cells in _cells_by_state(family, chains, variable):
            score += logs[c][cells]
        noise = rng.gumbel(size=score.shape)
        chains[:, variable] = np.argmax(score + noise, axis=1)
