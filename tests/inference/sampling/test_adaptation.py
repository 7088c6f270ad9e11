import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference.sampling._adaptation import DualAveraging, Spread, Windows


@pytest.mark.parametrize("target", [0.3, 0.6, 0.9])
def test_the_step_size_reaches_its_target(target):
    rng, size = np.random.default_rng(0), DualAveraging(3.0, target)
    for _ in range(3000):
        size.learn(float(np.clip(np.exp(-size.current) + 0.1 * rng.normal(), 0, 1)))
    assert np.exp(-size.final) == pytest.approx(target, abs=0.05)


def spread_of(draws, *, dense=True):
    seen = Spread(dense)
    for x in draws:
        seen.add(x)
    return seen.shrunk()


def test_many_states_give_their_covariance():
    rng = np.random.default_rng(0)
    truth = np.array([[4.0, 1.9], [1.9, 1.0]])
    draws = rng.multivariate_normal(np.zeros(2), truth, size=20_000)
    assert_allclose(spread_of(draws), truth, rtol=0.05)
    assert_allclose(spread_of(draws, dense=False), truth.diagonal(), rtol=0.05)


def test_few_states_give_a_matrix_of_use():
    rng = np.random.default_rng(0)
    draws = rng.normal(size=(25, 100))
    values = np.linalg.eigvalsh(spread_of(draws))
    raw = np.linalg.eigvalsh(np.cov(draws.T))
    assert values[0] > 0.1
    assert values[-1] < 0.5 * raw[-1]


def test_a_state_that_never_moves():
    values = spread_of(np.ones((30, 3)))
    assert np.linalg.eigvalsh(values)[0] > 0


@pytest.mark.parametrize("n", [0, 5, 19, 20, 149, 150, 151, 300, 1000, 5000])
def test_windows_fit_the_warm_up(n):
    windows = Windows.of(n)
    ends = (windows.begin, *windows.ends)
    assert list(ends) == sorted(set(ends))
    assert ends[-1] <= n
    if n >= 150:
        assert ends[-1] == n - 50
        assert np.diff(ends).argmax() == len(ends) - 2
