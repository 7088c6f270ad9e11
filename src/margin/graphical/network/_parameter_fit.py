"""Parameters of a network of known structure from rows, complete or with gaps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from margin.core import Certificate, Solution, Status
from margin.core.types import Floats, Ints
from margin.graphical._domain import shorten
from margin.graphical._network import Network
from margin.graphical.cpds._counts import family_counts, table_from_counts
from margin.inference import Expectation, JunctionTree, LargestChange, expectation_maximisation


@dataclass(frozen=True)
class Prior:
    """Imaginary observations: ``alpha`` per cell, ``equivalent_sample_size`` per table."""

    alpha: float = 0.0
    equivalent_sample_size: float = 0.0

    def table(self, counts: Floats) -> tuple[Floats, int]:
        """Posterior mean of the table, and the number of columns that stay undetermined."""
        return table_from_counts(counts, self.alpha, self.equivalent_sample_size)

    def log_density(self, tables: list[Floats]) -> float:
        """Logarithm of the Dirichlet prior of the tables, up to a constant."""
        total = 0.0
        for table in tables:
            pseudo = self.alpha + self.equivalent_sample_size / table.size
            if pseudo:
                total += pseudo * float(np.log(table).sum())
        return total


def fit_tables(
    network: Network,
    codes: Ints,
    weight: Floats | None,
    prior: Prior,
    *,
    tol: float,
    max_iter: int,
    n_threads: int,
) -> Solution:
    """Tables of all discrete nodes: counting when rows are complete, EM when they are not.

    The objective is the mean negative log-likelihood of the observed values (plus the prior).
    Serves graphical.17, graphical.18 and graphical.19.
    """
    members = network.families()
    cards = network.domain.cardinalities
    shapes = [tuple(cards[v] for v in family) for family in members]
    if (codes >= 0).all():
        counts = [family_counts(codes, f, s, weight) for f, s in zip(members, shapes, strict=True)]
        return _counted(network, counts, prior, codes, weight)
    return _expectation_maximisation(
        network, codes, weight, prior, members, shapes, tol, max_iter, n_threads
    )


def _counted(
    network: Network, counts: list[Floats], prior: Prior, codes: Ints, weight: Floats | None
) -> Solution:
    fitted = [prior.table(c) for c in counts]
    tables = [table for table, _ in fitted]
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = [np.where(c > 0, c * np.log(t), 0.0) for c, t in zip(counts, tables, strict=True)]
    total = float(len(codes) if weight is None else weight.sum())
    objective = -float(sum(t.sum() for t in terms)) / max(total, 1.0)
    return Solution(
        x=np.concatenate([t.ravel() for t in tables]),
        status=Status.CONVERGED,
        n_iter=1,
        objective=objective,
        trace={"objective": np.array([objective])},
        certificate=Certificate("closed form", 0.0, 0.0),
        solver="counting (rows are complete)",
        repairs=_unseen(network, [n for _, n in fitted]),
        extras={"tables": tables},
    )


def _expectation_maximisation(
    network: Network,
    codes: Ints,
    weight: Floats | None,
    prior: Prior,
    members: list[tuple[int, ...]],
    shapes: list[tuple[int, ...]],
    tol: float,
    max_iter: int,
    n_threads: int,
) -> Solution:
    tree = JunctionTree.compile(tuple(network.domain.cardinalities), tuple(members))
    mass = np.ones(len(codes)) if weight is None else weight
    total = float(mass.sum())

    def expect(tables: list[Floats]) -> Expectation[list[Floats]]:
        log_evidence, counts = tree.expected_counts(tables, codes, weight, n_threads=n_threads)
        bound = float(mass @ log_evidence + prior.log_density(tables)) / total
        return Expectation(bound, [np.asarray(c) for c in counts])

    def maximise(counts: list[Floats], tables: list[Floats]) -> list[Floats]:
        return [prior.table(c)[0] for c in counts]

    solution = expectation_maximisation(
        expect,
        maximise,
        [starting_tables(codes, weight, members, shapes)],
        tol=tol,
        max_iter=max_iter,
        measure=LargestChange("largest change of a probability"),
        solver="expectation maximisation (values are missing)",
    )
    unseen = [prior.table(c)[1] for c in solution.extras["statistics"]]
    return replace(
        solution,
        x=np.concatenate([t.ravel() for t in solution.x]),
        repairs=_unseen(network, unseen),
        extras={"tables": solution.x, "smallest_step": solution.extras["smallest_step"]},
    )


def starting_tables(
    codes: Ints,
    weight: Floats | None,
    members: list[tuple[int, ...]],
    shapes: list[tuple[int, ...]],
) -> list[Floats]:
    """Tables from the complete cases of each family and one imaginary row.

    The row is spread unevenly: equal tables are a saddle point where a variable is never observed.
    """
    rng = np.random.default_rng(0)
    started = [
        family_counts(codes, f, s, weight) + rng.uniform(0.5, 1.5, s) / np.prod(s)
        for f, s in zip(members, shapes, strict=True)
    ]
    return [table_from_counts(c)[0] for c in started]


def _unseen(network: Network, numbers: list[int]) -> tuple[str, ...]:
    """What was done where data and prior say nothing."""
    hit = {n: k for n, k in zip(network.domain.names, numbers, strict=True) if k}
    if not hit:
        return ()
    return (
        f"{sum(hit.values())} configurations of parents never occur (nodes {shorten(list(hit))}): "
        "their columns are uniform; alpha above 0 states a prior",
    )


def as_tables(network: Network, solution: Solution) -> dict[str, Any]:
    """Tables of the solution by node."""
    return dict(zip(network.domain.names, solution.extras["tables"], strict=True))
