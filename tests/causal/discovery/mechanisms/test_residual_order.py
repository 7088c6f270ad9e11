"""causal.12: the two phases, counted and held against what they must do."""

import numpy as np
import pytest
from equations import smooth_world

from margin.causal.discovery.mechanisms._additive_columns import AdditiveColumns
from margin.causal.discovery.mechanisms._dependence import Dependence, JointHSIC
from margin.causal.discovery.mechanisms._residual_order import Trials, residual_graph
from margin.search import Knowledge


@pytest.mark.parametrize("p", [2, 4, 7])
def test_the_square_of_the_columns(p):
    """causal.12: O(D^2 Q)."""
    calls = []

    def regress(target, causes):
        calls.append((target, tuple(causes)))
        return np.zeros(3)

    trials = Trials(np.zeros((3, p)), regress, lambda r, b: Dependence(0.0, 0.0))
    answer = residual_graph(trials, Knowledge.none(p), 0.05)
    assert answer.n_tests == len(calls) == len(set(calls)) == p * p - 1
    assert answer.complete
    assert sum(map(len, answer.parents)) == p * (p - 1) // 2


def test_a_parent_is_held_against_all_earlier_columns():
    """Of two copies of a cause one may go, the other stays: it is still in the residuals."""
    rng = np.random.default_rng(0)
    x = rng.uniform(-2, 2, 300)
    Z = np.column_stack([x, x + 0.05 * rng.normal(size=300), x**3 + rng.normal(size=300)])
    Z = (Z - Z.mean(axis=0)) / Z.std(axis=0)
    known = Knowledge.of("test", range(3), tiers=[[0], [1], [2]])
    regress = AdditiveColumns.of(Z, 8).residual
    answer = residual_graph(Trials(Z, regress, JointHSIC()), known, 0.01)
    assert len(answer.parents[2]) >= 1


@pytest.mark.parametrize("seed", range(3))
def test_every_sink_is_the_least_dependent_of_those_left(seed):
    X, arrows = smooth_world(3, 300, seed, share=1.0)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    regress, test = AdditiveColumns.of(Z, 8).residual, JointHSIC()
    answer = residual_graph(Trials(Z, regress, test), Knowledge.none(3), 0.01)
    left = [0, 1, 2]
    while len(left) > 1:
        others = {k: [c for c in left if c != k] for k in left}
        p_values = {k: test(regress(k, others[k]), Z[:, others[k]]).p_value for k in left}
        last = answer.order[len(left) - 1]
        assert p_values[last] == max(p_values.values())
        left.remove(last)
    place = {k: at for at, k in enumerate(answer.order)}
    assert all(place[j] < place[i] for i, j in np.argwhere(arrows))


def test_noise_of_the_parents_that_stay():
    X, _ = smooth_world(4, 200, 3)
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    regress, test = AdditiveColumns.of(Z, 8).residual, JointHSIC()
    answer = residual_graph(Trials(Z, regress, test), Knowledge.none(4), 0.01)
    assert answer.noise_p[answer.order[0]] == 1.0
    for place in range(1, 4):
        target, before = answer.order[place], list(answer.order[:place])
        outcome = test(regress(target, answer.parents[target]), Z[:, before])
        assert answer.noise_p[target] == pytest.approx(outcome.p_value, rel=0.2, abs=1e-12)


@pytest.mark.parametrize("max_work", [0.0, 2.0, 6.0, 11.0, 20.0, 34.0])
def test_a_budget_ends_the_search(max_work):
    """Each trial costs one; what was not tried keeps its parents, unknown columns go first."""
    p = 6

    def measure(residual, block):
        return Dependence(0.0, float(residual[0]))

    def trials(most):
        return Trials(
            np.zeros((3, p)),
            lambda k, causes: np.full(3, float(k)),
            measure,
            lambda c, b: 1.0,
            most,
        )

    answer = residual_graph(trials(max_work), Knowledge.none(p), 0.05)
    assert not answer.complete
    assert answer.n_tests == max_work
    assert sorted(answer.order) == list(range(p))
    assert sum(map(len, answer.parents)) == p * (p - 1) // 2
    if max_work >= p:
        assert answer.order == (5, 4, 3, 2, 1, 0)
    if max_work == 2.0:
        assert answer.order[-2:] == (1, 0)
    whole = residual_graph(trials(p * p - 1.0), Knowledge.none(p), 0.05)
    assert whole.complete
    assert whole.n_tests == p * p - 1
