import numpy as np

from margin.causal import latent_projection
from margin.graphs import DAG, d_separated


def random_dag(n, rng):
    return DAG(n, [(i, j) for i in range(n) for j in range(i + 1, n) if rng.random() < 0.4])


def test_what_is_seen_separates_as_before():
    rng, seen = np.random.default_rng(0), {True: 0, False: 0}
    for _ in range(300):
        dag = random_dag(8, rng)
        order = rng.permutation(8).tolist()
        hidden, (a, b, *others) = order[:3], order[3:]
        given = others[: rng.integers(0, 4)]
        answer = d_separated(dag, a, b, given)
        assert latent_projection(dag, hidden).m_separated(a, b, given) == answer
        seen[answer] += 1
    assert min(seen.values()) > 30


def test_causes_among_the_seen_stay():
    rng = np.random.default_rng(1)
    for _ in range(50):
        dag = random_dag(7, rng)
        hidden = rng.permutation(7)[:3].tolist()
        graph = latent_projection(dag, hidden)
        for node in graph.nodes:
            below = set(dag.descendants(node)) - set(hidden)
            assert set(graph.descendants(node)) == below


def test_nothing_hidden_changes_nothing():
    dag = DAG([("a", "b"), ("b", "c")])
    graph = latent_projection(dag, [])
    assert graph.directed == dag.edges
    assert graph.bidirected == ()
