"""Causal graphs from scores: greedy equivalence search."""

from typing import Any

import numpy as np

from benchmarks.case import Case, Contestant, Size, Target
from benchmarks.cases.structure_learning import gaussian_rows

Data = tuple[np.ndarray, np.ndarray]


def _ges(data: Data) -> np.ndarray:
    from margin.causal import GES

    # Insertions, then removals, once, which is what the peer does.
    return GES(turning=False).fit(data[0]).graph_.adjacency()


def _ges_causal_learn(data: Data) -> np.ndarray:
    from causallearn.search.ScoreBased.GES import ges

    # -1 is a tail, 1 a head: i -> j where the mark at i is a tail.
    marks: Any = ges(data[0], score_func="local_score_BIC")["G"].graph
    return np.asarray((marks == -1) & (marks.T != 0)).astype(np.int8)


def _relative_bic(data: Data, graph: np.ndarray) -> float:
    from margin.graphs import PDAG, extend_pdag
    from margin.search import Moments, NetworkScore

    member = extend_pdag(PDAG.from_adjacency(graph))
    if member is None:
        return float("inf")
    score = NetworkScore.of("benchmark", Moments.of("benchmark", data[0]))
    return score.total(member.adjacency()) / score.total(np.zeros_like(graph))


CASES = (
    Case(
        name="ges",
        description="Greedy equivalence search with BIC, sparse linear Gaussian network.",
        make_data=gaussian_rows,
        sizes=(
            Size("2 000 × 20", {"n": 2000, "p": 20}, 40_000),
            Size("2 000 × 40", {"n": 2000, "p": 40}, 80_000, required=True),
        ),
        contestants=(
            Contestant("margin", _ges, requires=("margin.causal",), ours=True),
            Contestant("causal-learn", _ges_causal_learn, requires=("causallearn",)),
        ),
        target=Target(
            objective=_relative_bic,
            objective_name="BIC of the graph / BIC of no arcs",
            tolerance=1e-9,
        ),
        required_ratio=30.0,
        warm_up={"n": 100, "p": 5},
        max_rounds=1,
    ),
)
