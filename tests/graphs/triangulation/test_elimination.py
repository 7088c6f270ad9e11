from itertools import combinations, permutations

import numpy as np
import pytest

from margin.graphs import triangulate_adjacency
from margin.graphs.triangulation._elimination import elimination_cliques


def heaviest(neighbours, order, weights):
    cliques = elimination_cliques(neighbours, order)
    return max(sum(weights[i] for i in range(len(weights)) if c >> i & 1) for c in cliques)


def greedy_by_hand(graph, log_weight, rule):
    """Scores from scratch at every step."""
    left = {v: set(graph.neighbours(v)) for v in graph.nodes}
    order = []
    while left:
        scores = {}
        for v, around in left.items():
            fill = sum(b not in left[a] for a, b in combinations(sorted(around), 2))
            heavy = sum(
                round(np.exp(log_weight[a])) * round(np.exp(log_weight[b]))
                for a, b in combinations(sorted(around), 2)
                if b not in left[a]
            )
            size = log_weight[v] + sum(log_weight[a] for a in around)
            keys = {
                "min-fill": (fill, size),
                "min-weight": (size, fill),
                "weighted-min-fill": (heavy, size),
                "min-degree": (len(around), fill),
            }
            scores[v] = (*np.round(np.multiply(keys[rule], 2.0**30)), v)
        v = min(scores, key=scores.get)
        around = left.pop(v)
        for a in around:
            left[a] |= around
            left[a] -= {a, v}
        order.append(v)
    return order


@pytest.mark.parametrize("rule", ["min-fill", "weighted-min-fill", "min-weight", "min-degree"])
@pytest.mark.parametrize("seed", range(10))
def test_incremental_scores_are_the_true_ones(random_graph, rule, seed):
    graph = random_graph(4 + 2 * seed, 0.1 + 0.05 * seed, seed)
    weights = np.random.default_rng(seed).integers(2, 6, len(graph))
    order, cliques = triangulate_adjacency(graph.adjacency(), weights, rule)
    assert order == greedy_by_hand(graph, np.log(weights), rule)
    by_hand = elimination_cliques(graph._neighbours, order)
    assert sorted(sum(1 << i for i in clique) for clique in cliques) == sorted(by_hand)


@pytest.mark.parametrize("n", [63, 64, 65, 130])
def test_graphs_across_word_boundaries(random_graph, n):
    graph = random_graph(n, 2.5 / n, n)
    order, cliques = triangulate_adjacency(graph._neighbours)
    assert order == greedy_by_hand(graph, np.full(n, np.log(2.0)), "min-fill")
    covered = {pair for clique in cliques for pair in combinations(clique, 2)}
    assert set(graph.edges) <= covered


@pytest.mark.parametrize("seed", range(6))
def test_exact_beats_every_order(random_graph, seed):
    """Brute force over all 720 orders of six nodes, with weights."""
    graph = random_graph(6, 0.45, seed)
    weights = np.random.default_rng(seed).integers(2, 5, 6)
    logs = np.log(weights)
    order, _ = triangulate_adjacency(graph.adjacency(), weights, "exact")
    best = min(heaviest(graph._neighbours, p, logs) for p in permutations(range(6)))
    assert heaviest(graph._neighbours, order, logs) == pytest.approx(best, rel=1e-12)


@pytest.mark.parametrize(("rows", "columns"), [(3, 3), (4, 4), (3, 6)])
def test_exact_finds_the_treewidth_of_grids(rows, columns):
    """The tree-width of a grid is its shorter side."""
    cells = [(i, j) for i in range(rows) for j in range(columns)]
    A = np.array([[abs(a - c) + abs(b - d) == 1 for c, d in cells] for a, b in cells])
    _, cliques = triangulate_adjacency(A, None, "exact")
    assert max(map(len, cliques)) - 1 == min(rows, columns)


def test_exact_refuses_a_large_core_and_takes_a_large_tree(random_graph):
    tree = np.zeros((300, 300))
    for i in range(1, 300):
        tree[i, i // 2] = tree[i // 2, i] = 1
    _, cliques = triangulate_adjacency(tree, None, "exact")
    assert max(map(len, cliques)) == 2
    with pytest.raises(ValueError, match="more than 20 nodes, got 'exact' for 30"):
        triangulate_adjacency(random_graph(30, 0.5, 0).adjacency(), None, "exact")


def test_restarts_never_hurt_and_repeat(random_graph):
    graph = random_graph(60, 0.08, 2)
    weights = np.random.default_rng(0).integers(2, 9, 60)

    def total(cliques):
        return sum(np.prod(weights[list(clique)].astype(float)) for clique in cliques)

    once = triangulate_adjacency(graph.adjacency(), weights)
    more = triangulate_adjacency(graph.adjacency(), weights, n_restarts=30)
    assert total(more[1]) < total(once[1])
    best = triangulate_adjacency(graph.adjacency(), weights, "best")
    assert total(best[1]) == min(
        total(triangulate_adjacency(graph.adjacency(), weights, rule)[1])
        for rule in ("weighted-min-fill", "min-fill", "min-weight")
    )
    assert more == triangulate_adjacency(graph.adjacency(), weights, n_restarts=30)


@pytest.mark.parametrize("heuristic", ["min-fill", "weighted-min-fill", "best", "exact"])
def test_degenerate_graphs(heuristic):
    assert triangulate_adjacency(np.zeros((0, 0)), None, heuristic) == ([], [])
    assert triangulate_adjacency([0, 0], None, heuristic) == ([0, 1], [(0,), (1,)])
    assert triangulate_adjacency(np.ones((3, 3)), [1, 1, 1], heuristic)[1] == [(0, 1, 2)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0, 1], [0, 0]],), "neighbours must be symmetric"),
        (([[0, 1]],), "neighbours must be square"),
        (([4, 0],), "neighbours must be bit sets of the 2 nodes"),
        (([0, 0], [1.0]), r"weights must have shape \(2,\)"),
        (([0, 0], [1.0, np.inf]), "weights must be finite and at least 1"),
        (([0, 0], [1.0, 0.0]), "weights must be finite and at least 1"),
        (([0, 0], None, "max-fill"), "heuristic must be one of 'min-fill'"),
    ],
)
def test_bad_input_is_refused(arguments, message):
    with pytest.raises(ValueError, match=f"triangulate: {message}"):
        triangulate_adjacency(*arguments)
