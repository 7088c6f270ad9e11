"""causal.12: the two phases, counted and held against what they must do."""

import numpy as np
import pytest
from equations import smooth_world

from margin.causal.discovery.mechanisms._additive_columns import AdditiveColumns
from margin.causal.discovery.mechanisms._dependence import Dependence, JointHSIC
from margin.causal.discovery.mechanisms._residual_order import residual_graph
from margin.search import Knowledge


@pytest.mark.parametrize("p", [2, 4, 7])
def test_the_square_of_the_columns(p):
    """causal.12: O(D^2 Q)."""
    calls = []

    def regress(target, causes):
        calls.append((target, tuple(causes)))
        return np.zeros(3)

    answer = residual_graph(
        np.zeros((3, p)), regress, lambda r, b: Dependence(0.0, 0.0), Knowledge.none(p), 0.05
    )
    assert answer.n_regressions == answer.n_tests == len(calls) == p * p + p - 2
    assert sum(map(len, answer.parents)) == p * (p - 1) // 2


def test_a_parent_is_held_against_all_earlier_columns():
    """Of two copies of a cause one may go, the other stays: it is still in the residuals."""
    rng = np.random.default_rng(0)
    x = rng.uniform(-2, 2, 300)
    Z = np.column_stack([x, x + 0.05 * rng.normal(size=300), x**3 + rng.normal(size=300)])
    Z = (Z - Z.mean(axis=0)) / Z.std(axis=0)
    known = Knowledge.of("test", range(3), tiers=[[0], [1], [2]])
    regress = AdditiveColumns.of(Z, 8).residual
    answer = residual_graph(Z, regress, JointHSIC(), known, 0.01)
    assert len(answer.parents[2]) >= 1


@pytest.mark.parametrize("seed", range(3))
def test_every_sink_is_the_least_dependent_of_those_left(seed):
    X, arrows = smooth_world(3, 300, seed, share=1.0)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    regress, test = AdditiveColumns.of(Z, 8).residual, JointHSIC()
    answer = residual_graph(Z, regress, test, Knowledge.none(3), 0.01)
    left = [0, 1, 2]
    while len(left) > 1:
        others = {k: [c for c in left if c != k] for k in left}
        p_values = {k: test(regress(k, others[k]), Z[:, others[k]]).p_value for k in left}
        last = answer.order[len(left) - 1]
        assert p_values[last] == max(p_values.values())
        left.remove(last)
    place = {k: at for at, k in enumerate(answer.order)}
    assert all(place[j] < place[i] for i, j in np.argwhere(arrows))
