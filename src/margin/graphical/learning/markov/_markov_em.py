"""EM for undirected models with unknown values or latent variables."""

from __future__ import annotations

import numpy as np

from margin.core import Certificate, Solution, Status
from margin.graphical.learning.markov._log_linear import Codes, Floats, LogLinear
from margin.graphical.learning.markov._proportional_fitting import fit_proportionally


def fit_incomplete(
    family: LogLinear,
    codes: Codes,
    row_weight: Floats,
    *,
    n_sweeps: int = 3,
    tol: float = 1e-6,
    max_iter: int = 500,
    rng: np.random.Generator | None = None,
    n_threads: int | None = None,
) -> Solution:
    r"""Unconstrained potentials from rows with unknown values (graphical.27).

    The bound :math:`\langle \log p(x, h) \rangle_q + H(q)`, with the entropy of :math:`q`, is
    raised in turn over :math:`q(h) = p(h \mid x)`, which makes expected clique marginals, and over
    the potentials by a few sweeps of proportional fitting to them. The observed likelihood never
    falls.
    """
    generator = np.random.default_rng(0) if rng is None else rng
    total = float(row_weight.sum())
    tables = [np.exp(0.1 * generator.standard_normal(s)) for s in family.shapes]
    nothing = np.full((1, len(family.cards)), -1, dtype=np.int64)
    trace: list[float] = []
    status, change = Status.MAX_ITER, np.inf
    for _ in range(max_iter):
        log_mass, counts = family.tree.expected_counts(
            tables, codes, row_weight, n_threads=n_threads
        )
        log_z, model = family.tree.expected_counts(tables, nothing, n_threads=n_threads)
        trace.append(float(log_z[0]) - float(row_weight @ log_mass) / total)
        targets = [c / total for c in counts]
        # At a stationary point expectations given the data and without them agree.
        change = max(float(abs(a - b).max()) for a, b in zip(targets, model, strict=True))
        if change <= tol:
            status = Status.CONVERGED
            break
        fitted = fit_proportionally(
            family, targets, start=tables, tol=tol / 10, max_iter=n_sweeps, n_threads=n_threads
        )
        tables = fitted.extras["tables"]
    return Solution(
        x=np.concatenate([t.ravel() for t in tables]),
        status=status,
        n_iter=len(trace),
        objective=trace[-1],
        trace={"objective": np.array(trace)},
        certificate=Certificate("largest error of a marginal", change, tol),
        solver="expectation-maximisation with proportional fitting",
        message="" if status.ok else f"max_iter={max_iter} reached; raise max_iter or tol",
        extras={"tables": tables},
    )
