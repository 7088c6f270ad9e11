"""Triangulation and d-separation of sparse networks, against networkx."""

from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np

from benchmarks.case import Case, Contestant, Size, Target

QUESTIONS = 20


@dataclass(frozen=True)
class Network:
    """A sparse directed graph in the forms that each library likes, and questions about it."""

    ours: Any
    moral: Any
    theirs: Any
    their_moral: Any
    questions: tuple[tuple[int, int, frozenset[int]], ...]


def network(n: int) -> Network:
    """Two parents per node among the thirty before it; questions given a tenth of the nodes."""
    from margin.graphs import DAG, moral_graph

    rng = np.random.default_rng(0)
    parents = [set(rng.integers(max(0, i - 30), i, 2).tolist()) for i in range(1, n)]
    dag = DAG(n, [(p, i) for i, around in enumerate(parents, 1) for p in around])
    questions = []
    for _ in range(QUESTIONS):
        nodes = rng.permutation(n).tolist()
        questions.append((nodes[0], nodes[1], frozenset(nodes[2 : 2 + n // 10])))
    moral = moral_graph(dag)
    return Network(dag, moral, dag.to_networkx(), moral.to_networkx(), tuple(questions))


def _triangulate(data: Network) -> int:
    from margin.graphs import triangulate

    return triangulate(data.moral).width


def _triangulate_networkx(data: Network) -> int:
    from networkx.algorithms.approximation import treewidth_min_fill_in

    return int(treewidth_min_fill_in(data.their_moral)[0])


def _separated(data: Network) -> list[bool]:
    from margin.graphs import d_separated

    return [d_separated(data.ours, x, y, given) for x, y, given in data.questions]


def _separated_networkx(data: Network) -> list[bool]:
    import networkx as nx

    return [nx.is_d_separator(data.theirs, {x}, {y}, set(given)) for x, y, given in data.questions]


def _sizes(*counts: int) -> tuple[Size, ...]:
    return tuple(Size(f"{n} nodes", {"n": n}, 2 * n) for n in counts)


NETWORKX = ("networkx",)
CASES = (
    Case(
        name="graph-triangulation",
        description="Min-fill triangulation of the moral graph of a network, two parents a node.",
        make_data=network,
        sizes=_sizes(300, 1000),
        contestants=(
            Contestant("margin", _triangulate, requires=("margin.graphs",), ours=True),
            Contestant("networkx", _triangulate_networkx, requires=NETWORKX),
        ),
        target=Target(
            objective=lambda _, width: log(width + 1),
            objective_name="logarithm of the largest clique",
            tolerance=0.2,
        ),
        warm_up={"n": 20},
        max_rounds=5,
    ),
    Case(
        name="graph-d-separation",
        description=f"{QUESTIONS} questions of d-separation, each given a tenth of the nodes.",
        make_data=network,
        sizes=_sizes(300, 1000),
        contestants=(
            Contestant("margin", _separated, requires=("margin.graphs",), ours=True),
            Contestant("networkx", _separated_networkx, requires=NETWORKX),
        ),
        target=Target(
            objective=lambda data, answers: float(answers != _separated(data)),
            objective_name="whether the answers differ from ours",
            tolerance=0.0,
        ),
        warm_up={"n": 20},
        max_rounds=20,
    ),
)
