"""EM for undirected models with unknown values or latent variables."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from margin.core import Solution
from margin.core.types import Floats, Indices
from margin.graphical.learning.markov._log_linear import LogLinear
from margin.graphical.learning.markov._proportional_fitting import fit_proportionally
from margin.inference import Expectation, Measure, expectation_maximisation


def fit_incomplete(
    family: LogLinear,
    codes: Indices,
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
    nothing = np.full((1, len(family.cards)), -1, dtype=np.int64)

    def expect(tables: list[Floats]) -> Expectation[_Marginals]:
        log_mass, counts = family.tree.expected_counts(
            tables, codes, row_weight, n_threads=n_threads
        )
        log_z, model = family.tree.expected_counts(tables, nothing, n_threads=n_threads)
        bound = float(row_weight @ log_mass) / total - float(log_z[0])
        return Expectation(bound, _Marginals([c / total for c in counts], list(model)))

    def maximise(marginals: _Marginals, tables: list[Floats]) -> list[Floats]:
        fitted = fit_proportionally(
            family,
            marginals.given_rows,
            start=tables,
            tol=tol / 10,
            max_iter=n_sweeps,
            n_threads=n_threads,
        )
        if fitted.interrupted:
            raise KeyboardInterrupt
        return list(fitted.extras["tables"])

    solution = expectation_maximisation(
        expect,
        maximise,
        [[np.exp(0.1 * generator.standard_normal(s)) for s in family.shapes]],
        tol=tol,
        max_iter=max_iter,
        measure=_MarginalError(),
        solver="expectation maximisation with proportional fitting",
    )
    return replace(
        solution,
        x=np.concatenate([t.ravel() for t in solution.x]),
        extras={"tables": solution.x, "smallest_step": solution.extras["smallest_step"]},
    )


class _Marginals(NamedTuple):
    """Marginals of the cliques: expected given the rows, and under the model alone."""

    given_rows: list[Floats]
    of_model: list[Floats]


class _MarginalError(Measure):
    """At a stationary point expectations given the data and without them agree."""

    kind = "largest error of a marginal"

    def __call__(self, before: Any, after: Any) -> float:
        pairs = zip(after.statistics.given_rows, after.statistics.of_model, strict=True)
        return max(float(abs(a - b).max()) for a, b in pairs)
