import numpy as np
import pytest

from margin.inference import hitting_times, long_run, mixing_time

WEATHER = np.array([[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.4, 0.4]])


def test_stationary_distribution():
    """sequence.02: (5/6, 1/6), and (6, 4, 3)/13 for the weather; power iteration agrees."""
    np.testing.assert_allclose(
        long_run([[0.9, 0.1], [0.5, 0.5]]).stationary[0], [5 / 6, 1 / 6], rtol=1e-14
    )
    where = long_run(WEATHER)
    np.testing.assert_allclose(where.stationary[0], np.array([6, 4, 3]) / 13, rtol=1e-14)
    np.testing.assert_allclose(np.linalg.matrix_power(WEATHER, 60)[1], where.stationary[0])
    assert where.irreducible
    assert where.equilibrium


def test_nearly_decomposable_chains_keep_their_digits():
    e = 1e-13
    A = np.array([[1 - e, e], [3 * e, 1 - 3 * e]])
    exact = np.array([A[1, 0], A[0, 1]]) / (A[1, 0] + A[0, 1])
    np.testing.assert_allclose(long_run(A).stationary[0], exact, rtol=1e-12)


def test_periods_and_closed_classes():
    """sequence.02: a cycle has a stationary distribution but no equilibrium."""
    cycle = np.roll(np.eye(4), 1, axis=1)
    where = long_run(cycle)
    assert where.periods == (4,)
    assert where.unique
    assert not where.equilibrium
    np.testing.assert_allclose(where.stationary[0], 0.25)
    two = np.array([[1, 0, 0], [0.5, 0, 0.5], [0, 0, 1.0]])
    apart = long_run(two)
    assert [c.tolist() for c in apart.closed] == [[0], [2]]
    assert not apart.unique
    assert not apart.irreducible
    assert long_run([[0.0, 1.0], [0.0, 1.0]]).stationary.tolist() == [[0.0, 1.0]]


def test_hitting_times_against_simulation_and_infinity():
    times = hitting_times(WEATHER, [2])
    rng = np.random.default_rng(0)
    steps = []
    for _ in range(3000):
        state, n = 0, 0
        while state != 2:
            state, n = rng.choice(3, p=WEATHER[state]), n + 1
        steps.append(n)
    assert times[0] == pytest.approx(np.mean(steps), rel=0.06)
    assert hitting_times([[1, 0, 0], [0.5, 0, 0.5], [0, 0, 1.0]], [2]).tolist() == [
        np.inf,
        np.inf,
        0,
    ]


def test_mixing_time_by_brute_force():
    law = long_run(WEATHER).stationary[0]
    for distance in (0.25, 0.01, 1e-6):
        t, power = 0, np.eye(3)
        while 0.5 * np.abs(power - law).sum(axis=1).max() > distance:
            t, power = t + 1, power @ WEATHER
        assert mixing_time(WEATHER, distance=distance) == t
    with pytest.raises(ValueError, match="period 1"):
        mixing_time([[0, 1], [1, 0]])


@pytest.mark.parametrize("A", [[[1.0]] * 2, [[0.5, 0.6], [0.5, 0.5]], [[1.5, -0.5], [0, 1]], []])
def test_refuses_what_is_no_transition_matrix(A):
    with pytest.raises(ValueError, match="long_run: transition must be"):
        long_run(A)
