"""Best and random paths against all paths."""

from itertools import product

import numpy as np
import pytest

from margin.native.chains import messages, paths

RNG = np.random.default_rng(1)


def every(table, start, transition):
    T, K = table.shape
    found = []
    for path in product(range(K), repeat=T):
        value = start[path[0]] + table[0, path[0]]
        for t in range(1, T):
            value += transition[path[t - 1], path[t]] + table[t, path[t]]
        found.append((value, path))
    return sorted(found, key=lambda pair: -pair[0])


@pytest.mark.parametrize("K", [1, 2, 3, 9])
def test_the_best_paths(K):
    T = 5 if K < 4 else 3
    start, transition = np.log(RNG.dirichlet(np.ones(K))), np.log(RNG.dirichlet(np.ones(K), K))
    table = RNG.normal(size=(T + 1, K))
    path, values = paths.viterbi(table, np.array([0, T, T, T + 1]), start, transition, 1)
    truth = every(table[:T], start, transition)
    assert tuple(path[:T]) == truth[0][1]
    assert values[0] == pytest.approx(truth[0][0])
    assert values[1] == 0.0
    assert path[T] == (start + table[T]).argmax()
    several, scores = paths.k_best(np.ascontiguousarray(table[:T]), start, transition, 4)
    some = min(4, len(truth))
    np.testing.assert_allclose(scores[:some], [v for v, _ in truth[:some]])
    assert [tuple(p) for p in several[:some]] == [p for _, p in truth[:some]]
    assert (scores[some:] == -np.inf).all()


@pytest.mark.parametrize("K", [17, 24, 40])
def test_many_states_against_plain_loops(K):
    start, transition = RNG.normal(size=K), RNG.normal(size=(K, K))
    table = RNG.normal(size=(60, K))
    best, back = start + table[0], []
    for row in table[1:]:
        ways = best[:, None] + transition
        back.append(ways.argmax(axis=0))
        best = ways.max(axis=0) + row
    truth = [int(best.argmax())]
    for pointer in reversed(back):
        truth.append(int(pointer[truth[-1]]))
    path, value = paths.viterbi(table, np.array([0, 60]), start, transition, 1)
    assert path.tolist() == truth[::-1]
    assert value[0] == pytest.approx(best.max())


def test_correction_equals_two_messages():
    start, transition = RNG.dirichlet(np.ones(3)), RNG.dirichlet(np.ones(3), 3)
    transition[0] = [1.0, 0.0, 0.0]
    table, offsets = RNG.normal(size=(20, 3)), np.array([0, 1, 12, 20])
    filtered, _ = messages.filtered_states(table, offsets, start, transition, 1)
    posterior, _, _ = messages.forward_backward(table, offsets, start, transition, 1)
    np.testing.assert_allclose(
        paths.corrected(filtered, offsets, transition), posterior, atol=1e-12
    )


def test_draws_have_the_posterior_frequencies():
    start, transition = RNG.dirichlet(np.ones(3)), RNG.dirichlet(np.ones(3), 3)
    table, offsets = RNG.normal(size=(6, 3)), np.array([0, 2, 6])
    filtered, _ = messages.filtered_states(table, offsets, start, transition, 1)
    posterior, counts, _ = messages.forward_backward(table, offsets, start, transition, 1)
    drawn = paths.sampled(filtered, offsets, transition, RNG.random((20_000, 6)), 2)
    share = (drawn[:, :, None] == np.arange(3)).mean(axis=0)
    np.testing.assert_allclose(share, posterior, atol=0.02)
    pairs = sum(
        np.histogram2d(drawn[:, t], drawn[:, t + 1], bins=3, range=[[0, 3]] * 2)[0]
        for t in (0, 2, 3, 4)
    )
    np.testing.assert_allclose(pairs / 20_000, counts, atol=0.05)


def test_walks_follow_the_chain_and_skip_impossible_states():
    start, transition = np.array([0.0, 1.0, 0.0]), np.array([[0, 1, 0], [0.5, 0, 0.5], [0, 1.0, 0]])
    walk = paths.walks(start, transition, np.array([0, 50_000]), RNG.random(50_000))
    assert walk[0] == 1
    assert (walk[::2] == 1).all()
    assert abs((walk[1::2] == 0).mean() - 0.5) < 0.02
    edge = paths.walks(start, transition, np.array([0, 2]), np.array([0.0, np.nextafter(1.0, 0.0)]))
    assert edge.tolist() == [1, 2]
