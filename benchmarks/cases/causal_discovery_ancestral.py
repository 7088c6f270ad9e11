"""Graphs with hidden common causes: causal-learn."""

from typing import Any

import numpy as np

from benchmarks.case import Case, Contestant, Size, Target

N_HIDDEN, ALPHA = 6, 0.01
Data = tuple[np.ndarray, np.ndarray]


def hidden_rows(n: int, p: int) -> Data:
    """Rows of a sparse linear Gaussian world of which six columns are not seen, and its PAG."""
    from margin.graphs import DAG, pag

    rng = np.random.default_rng(0)
    q = p + N_HIDDEN
    arcs = np.triu(rng.random((q, q)) < 2.0 / (q - 1), 1)
    weight = arcs * rng.uniform(0.5, 1.2, (q, q)) * rng.choice([-1, 1], (q, q))
    X = np.zeros((n, q))
    for j in range(q):
        X[:, j] = X @ weight[:, j] + rng.standard_normal(n)
    seen = np.sort(rng.permutation(q)[:p])
    hidden = [j for j in range(q) if j not in seen]
    return X[:, seen], _codes(pag(DAG.from_adjacency(arcs.astype(int)), hidden))


def _codes(graph: Any) -> np.ndarray:
    """Entry [i, j]: the mark at j of the edge i - j as causal-learn writes it, 0 without edge."""
    marks = {"tail": -1, "arrow": 1, "circle": 2}
    codes = np.zeros((len(graph), len(graph)))
    for a, _, b in graph.edges:
        i, j = graph.index(a), graph.index(b)
        codes[i, j], codes[j, i] = marks[graph.mark(a, b)], marks[graph.mark(b, a)]
    return codes


def _margin(data: Data) -> np.ndarray:
    from margin.causal import FCI

    return _codes(FCI(test="fisher-z", alpha=ALPHA, max_cond_size=None).fit(data[0]).graph_)


def _causal_learn(data: Data) -> np.ndarray:
    import contextlib
    import io

    from causallearn.search.ConstraintBased.FCI import fci

    with contextlib.redirect_stdout(io.StringIO()):
        graph, _ = fci(data[0], "fisherz", ALPHA, show_progress=False)
    return graph.graph.T


def _wrong_marks(data: Data, codes: np.ndarray) -> float:
    return float((codes != data[1]).sum() / (data[1] != 0).sum())


CASES = (
    Case(
        name="fci",
        description="FCI with Fisher's z at level 0.01, sparse linear Gaussian world of which six "
        "columns are hidden; both search all conditioning sets.",
        make_data=hidden_rows,
        sizes=(
            Size("2 000 × 15", {"n": 2000, "p": 15}, 30_000),
            Size("2 000 × 30", {"n": 2000, "p": 30}, 60_000, required=True),
        ),
        contestants=(
            Contestant("margin", _margin, requires=("margin.causal",), ours=True),
            Contestant("causal-learn", _causal_learn, requires=("causallearn",)),
        ),
        target=Target(
            objective=_wrong_marks,
            objective_name="wrong marks / marks of the true graph",
            tolerance=1e-9,
        ),
        required_ratio=30.0,
        warm_up={"n": 200, "p": 5},
        max_rounds=3,
    ),
)
