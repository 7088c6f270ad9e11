"""The compiled search over classes against its twin in Python; see tests/search/greedy as well."""

import numpy as np
import pytest

from margin.graphs import DAG, PDAG, cpdag, orient
from margin.native.structure import classes, structure


def search(p, dag, known=(), required=(), tol=-1e300):
    rng = np.random.default_rng(p)
    X = rng.standard_normal((3 * p + 3, p))
    scorer = structure.gaussian_scorer(np.cov(X.T).reshape(p, p), 100.0, "bic")
    matrix = dag.adjacency().astype(np.uint8)
    forbidden, must, none = (np.zeros((p, p), np.uint8) for _ in range(3))
    for a, b in known:
        forbidden[a, b] = 1
    for a, b in required:
        must[a, b], forbidden[b, a] = 1, 1
    limits = {"max_degree": p, "max_steps": 10**5, "tol": tol, "n_threads": 1}
    return classes.class_search(scorer, matrix, forbidden, must, none, **limits)


@pytest.mark.parametrize("p", [1, 5, 70])
def test_classes_of_random_graphs(p):
    rng = np.random.default_rng(0)
    for _ in range(20 if p < 70 else 3):
        dag = DAG.from_adjacency(np.triu(rng.random((p, p)) < 2.5 / p, 1))
        state = search(p, dag)
        assert PDAG.from_adjacency(classes.class_matrix(state, p, False)) == cpdag(dag)
        barred = [(b, a) for a, b in dag.edges[::3]]
        informed = classes.class_matrix(search(p, dag, barred), p, True)
        assert PDAG.from_adjacency(informed) == orient(cpdag(dag), forbidden=barred)


def test_what_is_required_stays():
    dag = DAG(3, [(0, 1), (1, 2)])
    state = search(3, dag, required=[(0, 1)])
    removed = {frozenset((x, y)) for _, x, y, _ in classes.valid_steps(state, "remove")}
    assert removed == {frozenset((1, 2))}


def test_nothing_gains_and_nothing_is_left():
    state = search(4, DAG(4, []), tol=1e9)
    assert classes.improve(state, "insert") is None
    assert classes.valid_steps(state, "remove") == []
    assert not state.exhausted


def test_scores_of_switched_nodes():
    rng = np.random.default_rng(0)
    parts = []
    for _ in range(2):
        X = rng.standard_normal((9, 3))
        parts.append(structure.gaussian_scorer(np.cov(X.T), 9.0, "bic", penalty_rows=20.0))
    switched = structure.switched_scorer(parts, [0, 1, 1])
    for child in range(3):
        others = [i for i in range(3) if i != child]
        assert switched.score(child, others) == parts[min(child, 1)].score(child, others)
    with pytest.raises(ValueError, match="which must name a part"):
        structure.switched_scorer(parts, [0, 2, 1])
    with pytest.raises(ValueError, match="parts of different size"):
        structure.switched_scorer(parts, [0, 1])
