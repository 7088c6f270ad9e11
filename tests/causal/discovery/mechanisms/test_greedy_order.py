"""Growing and pruning."""

import numpy as np
import pytest
from equations import smooth_world

from margin.causal.discovery.mechanisms._additive_columns import AdditiveColumns
from margin.causal.discovery.mechanisms._greedy_order import f_tests, gains_of, grow, near_columns
from margin.search import Knowledge


@pytest.fixture(scope="module")
def table():
    X, _ = smooth_world(6, 300, 0)
    return AdditiveColumns.of((X - X.mean(axis=0)) / X.std(axis=0), 5)


def test_gains_are_those_of_two_regressions(table):
    for causes in ([], [1], [1, 4]):
        more = [j for j in range(6) if j not in (0, *causes)]
        before = table.squares(0, table.places(causes))
        after = [table.squares(0, table.places([*causes, j])) for j in more]
        expected = 150 * np.log(before / np.array(after))
        np.testing.assert_allclose(gains_of(table, 0, causes, more), expected, rtol=1e-7)


def test_every_arrow_pays_and_no_circle_closes(table):
    graph = grow(table, near_columns(table, 10), Knowledge.none(6))
    place = {k: at for at, k in enumerate(graph.order)}
    assert sorted(graph.order) == list(range(6))
    assert all(place[j] < place[i] for i, causes in enumerate(graph.parents) for j in causes)
    total = sum(
        150 * np.log(300 / table.squares(i, table.places(c))) for i, c in enumerate(graph.parents)
    )
    assert sum(graph.gains) == pytest.approx(total)
    assert min(graph.gains) > 0


def test_level_of_the_tests():
    rng = np.random.default_rng(1)
    p_values = []
    for _ in range(200):
        noise = AdditiveColumns.of(rng.normal(size=(100, 3)), 4)
        p_values += f_tests(noise, 0, [1, 2]).values()
    assert 0.03 <= np.mean(np.array(p_values) < 0.05) <= 0.08


def test_fewer_candidates_are_the_best_ones(table):
    near = near_columns(table, 2)
    assert (near.sum(axis=0) <= 2).all()
    for target in range(6):
        first = gains_of(table, target, [], [j for j in range(6) if j != target])
        best = [j for j in range(6) if j != target][int(np.argmax(first))]
        assert near[best, target] or first.max() <= table.width(best)
