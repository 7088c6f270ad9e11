"""FCI against causal-learn's."""

import numpy as np
import pytest

from margin.causal import FCI, structural_hamming_distance
from margin.graphs import DAG, PAG, pag


def hidden_world(n, p, seed):
    """Rows of a linear Gaussian world, and the PAG of the columns that are seen."""
    rng = np.random.default_rng(seed)
    q = p + 3
    arcs = np.triu(rng.random((q, q)) < 1.5 / (q - 1), 1)
    weight = arcs * rng.uniform(0.5, 1.2, (q, q)) * rng.choice([-1, 1], (q, q))
    X = np.zeros((n, q))
    for j in range(q):
        X[:, j] = X @ weight[:, j] + rng.standard_normal(n)
    seen = np.sort(rng.permutation(q)[:p]).tolist()
    hidden = [j for j in range(q) if j not in seen]
    graph = pag(DAG.from_adjacency(arcs.astype(int)), hidden)
    return X[:, seen], PAG(p, [(seen.index(a), s, seen.index(b)) for a, s, b in graph.edges])


def theirs(X, alpha):
    fci = pytest.importorskip("causallearn.search.ConstraintBased.FCI").fci
    graph, _ = fci(X, "fisherz", alpha, show_progress=False)
    marks = {-1: "--", 1: "<>", 2: "oo"}
    p = X.shape[1]
    edges = [
        (i, f"{marks[graph.graph[i, j]][0]}-{marks[graph.graph[j, i]][1]}", j)
        for i in range(p)
        for j in range(i + 1, p)
        if graph.graph[i, j]
    ]
    return PAG(p, edges)


@pytest.mark.parametrize("seed", range(6))
def test_the_same_graph_as_causal_learn(seed):
    X, _ = hidden_world(1000, 10, seed)
    ours = FCI(alpha=0.01, max_cond_size=None).fit(X).graph_
    assert ours == theirs(X, 0.01)


@pytest.mark.parametrize("seed", [0, 1, 3])
def test_close_to_the_truth_with_many_rows(seed):
    X, truth = hidden_world(20_000, 10, seed)
    learnt = FCI(alpha=1e-4, max_cond_size=None).fit(X).graph_
    assert structural_hamming_distance(truth.skeleton(), learnt.skeleton()) <= 1
