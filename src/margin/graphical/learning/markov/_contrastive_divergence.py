"""Contrastive divergence: a few Gibbs steps in the place of the model's expectation."""

from __future__ import annotations

import numpy as np

from margin.core import Certificate, Solution, Status
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
    weights, mean = np.zeros(family.size), np.zeros(family.size)
    drift, norms = np.zeros(family.size), []
    chains = codes.copy()
    half = max(1, max_iter // 2)
    for t in range(max_iter):
        if not persistent:
            chains = codes.copy()
        for _ in range(n_sweeps):
            _sweep(family, weights, chains, rng)
        gradient = shown - family.statistics(family.counts(chains, share)) - alpha * weights
        weights = weights + step / (1 + 4 * t / max_iter) * gradient
        norms.append(float(abs(gradient).max()))
        if t >= max_iter - half:
            mean += weights / half
            drift += gradient / half
    level = float(abs(drift).max(initial=0.0))
    settled = level <= tol
    return Solution(
        x=mean,
        status=Status.CONVERGED if settled else Status.MAX_ITER,
        n_iter=max_iter,
        objective=norms[-1],
        trace={"objective": np.array(norms)},
        certificate=Certificate("mean stochastic gradient", level, tol),
        solver=f"contrastive divergence, {n_sweeps} sweep{'s' * (n_sweeps > 1)}"
        + (", persistent chains" if persistent else ""),
        message=""
        if settled
        else f"the mean gradient is {level:.3g} after max_iter={max_iter} steps; raise max_iter",
    )


def _sweep(family: LogLinear, weights: Floats, chains: Indices, rng: np.random.Generator) -> None:
    """One Gibbs sweep of all chains, in place."""
    logs = [t.ravel() for t in family.log_tables(weights)]
    for variable, card in enumerate(family.cards):
        score = np.zeros((len(chains), card))
        for c, cells in _cells_by_state(family, chains, variable):
            score += logs[c][cells]
        noise = rng.gumbel(size=score.shape)
        chains[:, variable] = np.argmax(score + noise, axis=1)
