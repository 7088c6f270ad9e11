"""Error bars, and maxima one by one against the best whole (inference.22)."""

from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.inference import FactorModel, JunctionTree, error_bars, pointwise_best


def test_mean_and_deviation():
    p = np.random.default_rng(0).dirichlet(np.ones(5), size=3)
    values = np.array([-1.0, 0.0, 2.0, 3.0, 10.0])
    mean, deviation = error_bars(p, values)
    assert_allclose(mean, p @ values)
    assert_allclose(deviation**2, p @ values**2 - mean**2, atol=1e-12)
    with pytest.raises(ValueError, match="values must be of shape"):
        error_bars([0.5, 0.5], [1.0])


def test_pointwise_maxima_may_be_impossible_together():
    """inference.22: with .4 on (0, 0), .3 on (1, 1) and (1, 2), the single winners never meet."""
    joint = np.array([[0.4, 0.0, 0.0], [0.0, 0.3, 0.3]])
    model = FactorModel((2, 3), ((0, 1),), (joint,))
    tree = JunctionTree.compile(model.cardinalities, model.scopes)
    _, marginals = tree.marginals(model.tables)
    alone = pointwise_best(marginals)
    assert_array_equal(alone, [[1, 0]])
    assert model.log_prob(alone)[0] == -np.inf
    value, states = tree.mpe(model.tables)
    assert_array_equal(states, [[0, 0]])
    assert_allclose(np.exp(value), [0.4])


def chain(start, move, emit, seen):
    """Factors of a hidden Markov model with its observations read into the emissions."""
    n = len(seen)
    scopes = [(0,), *((t, t + 1) for t in range(n - 1)), *((t,) for t in range(n))]
    tables = [start, *[move] * (n - 1), *(emit[:, o] for o in seen)]
    return FactorModel((len(start),) * n, tuple(scopes), tuple(tables))


def paths(model):
    """Every path with its weight, by the definition."""
    factors = list(zip(model.scopes, model.tables, strict=True))
    return {
        x: np.prod([t[tuple(x[v] for v in s)] for s, t in factors])
        for x in product(*(range(c) for c in model.cardinalities))
    }


def test_a_hidden_path_of_single_winners_breaks_the_rules():
    """inference.22: the pointwise path takes a forbidden step, the best whole path does not."""
    start = np.array([0.4, 0.6, 0.0])
    # From 0 only to 0; from 1 and 2 to both of them, never to 0.
    move = np.array([[1.0, 0.0, 0.0], [0.0, 0.5, 0.5], [0.0, 0.5, 0.5]])
    emit = np.array([[0.5, 0.5], [0.55, 0.45], [0.45, 0.55]])
    broken = 0
    for seen in product(range(2), repeat=4):
        model = chain(start, move, emit, seen)
        weight = paths(model)
        total = sum(weight.values())
        tree = JunctionTree.compile(model.cardinalities, model.scopes)
        _, marginals = tree.marginals(model.tables)
        for t, marginal in enumerate(marginals):
            exact = [sum(w for x, w in weight.items() if x[t] == k) / total for k in range(3)]
            assert_allclose(marginal[0], exact, atol=1e-13)
        alone = tuple(pointwise_best(marginals)[0].tolist())
        assert alone == tuple(int(np.argmax(m[0])) for m in marginals)
        value, states = tree.mpe(model.tables)
        best = max(weight, key=weight.get)
        assert_allclose(weight[tuple(states[0].tolist())], weight[best], rtol=1e-12)
        assert_allclose(np.exp(value[0]), weight[best], rtol=1e-12)
        assert weight[best] >= weight[alone]
        broken += weight[alone] == 0.0
    assert broken > 0


def test_the_busiest_room_is_not_on_the_likeliest_way_out():
    """inference.22: a maze with one likely corridor and a hall that many unlikely routes share."""
    # Rooms: 0 entrance, 1 corridor, 2 hall, 3 to 5 side rooms, 6 exit.
    move = np.zeros((7, 7))
    move[0, [1, 2]] = 0.4, 0.6
    move[1, 1] = 1.0
    move[2, [3, 4, 5]] = 1 / 3
    move[[3, 4, 5], 6] = 1.0
    move[6, 6] = 1.0
    rooms = [(0,), (0, 1), (1, 2), (2, 3)]
    # The corridor leads out as well, one step later.
    last = move.copy()
    last[1] = np.eye(7)[6]
    model = FactorModel((7,) * 4, tuple(rooms), (np.eye(7)[0], move, move, last))
    weight = paths(model)
    tree = JunctionTree.compile(model.cardinalities, model.scopes)
    _, marginals = tree.marginals(model.tables)
    _, states = tree.mpe(model.tables)
    assert states[0].tolist() == [0, 1, 1, 6] == list(max(weight, key=weight.get))
    assert_allclose(marginals[1][0, [1, 2]], [0.4, 0.6], atol=1e-14)
    alone = pointwise_best(marginals)[0]
    assert alone[1] == 2
    assert weight[tuple(alone.tolist())] == 0.0


@pytest.mark.parametrize("seed", range(4))
def test_error_bars_of_a_noisy_curve_by_enumeration(seed):
    """inference.22: mean and deviation of ordinal labels; the best path lies within the bars."""
    rng = np.random.default_rng(seed)
    levels = np.array([0.0, 1.0, 2.0, 3.0])
    near = np.exp(-((levels[:, None] - levels) ** 2))
    move = near / near.sum(axis=1, keepdims=True)
    seen = rng.integers(0, 4, 5)
    model = chain(np.full(4, 0.25), move, move, seen)
    weight = paths(model)
    total = sum(weight.values())
    tree = JunctionTree.compile(model.cardinalities, model.scopes)
    _, marginals = tree.marginals(model.tables)
    mean, deviation = error_bars(np.concatenate(marginals), levels)
    for t in range(5):
        first = sum(w * levels[x[t]] for x, w in weight.items()) / total
        second = sum(w * levels[x[t]] ** 2 for x, w in weight.items()) / total
        assert_allclose(mean[t], first, atol=1e-12)
        assert_allclose(deviation[t], np.sqrt(second - first**2), atol=1e-7)
    _, states = tree.mpe(model.tables)
    assert (np.abs(levels[states[0]] - mean) <= 2 * deviation).all()
