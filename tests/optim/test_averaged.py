"""Averages of iterates (optim.07)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from margin import losses
from margin.optim import (
    SGD,
    Constant,
    ExponentialAverage,
    LinearProblem,
    Newton,
    PolyakAverage,
    minimise,
)
from margin.penalties import L1, L2


def averaged(points, mix):
    mean = np.zeros_like(points[0])
    for point, m in zip(points, mix, strict=True):
        mean = mean + m * (point - mean)
    return mean


def test_factors_give_the_averages():
    """optim.07: the plain mean after the burn-in; (1 - mu) mean + mu w from the first on."""
    points = np.random.default_rng(0).normal(size=(20, 3))
    assert_allclose(averaged(points, PolyakAverage().mix(0, 20)), points.mean(axis=0))
    assert_allclose(averaged(points, PolyakAverage(15).mix(0, 20)), points[15:].mean(axis=0))
    assert_allclose(averaged(points[:3], PolyakAverage(15).mix(0, 3)), points[2])
    weight = 0.2 * 0.8 ** np.arange(19, -1, -1)
    weight[0] = 0.8**19
    assert_allclose(averaged(points, ExponentialAverage(0.2).mix(0, 20)), weight @ points)
    assert_allclose(weight.sum(), 1.0)


@pytest.mark.parametrize("average", [PolyakAverage(7), ExponentialAverage(0.1)])
def test_factors_do_not_depend_on_epochs(average):
    """optim.07: the factors of twenty steps, at once or in parts."""
    parts = [average.mix(0, 6), average.mix(6, 9), average.mix(15, 5), average.mix(20, 0)]
    assert_array_equal(np.concatenate(parts), average.mix(0, 20))


@pytest.mark.parametrize("average", [PolyakAverage(4), ExponentialAverage(0.3)])
@pytest.mark.parametrize("penalty", [L2(0.3), L1(0.1)])
@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
def test_the_answer_is_the_average_of_the_iterates(average, penalty, storage):
    """optim.07: against the iterates themselves, seen by shorter searches of one whole batch."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(12, 3)) * (rng.random(size=(12, 3)) < 0.6)
    y = rng.normal(size=12)
    problem = LinearProblem(storage(X), y, np.full(12, 1 / 12), losses.Squared(), penalty)
    path = minimise(problem, SGD(1e-12, 9, Constant(0.4), None), trace=True).trace["x"]
    found = minimise(problem, SGD(1e-12, 9, Constant(0.4), None, average), trace=True)
    for steps in range(1, 10):
        wanted = averaged(path[1 : steps + 1], average.mix(0, steps))
        assert_allclose(found.trace["x"][steps], wanted, atol=1e-12)


def test_an_average_is_less_noisy_than_the_last_iterate():
    """optim.07: over seeds, the mean is nearer to the minimum."""
    rng = np.random.default_rng(2)
    X = rng.normal(size=(100, 3))
    y = X @ [1.0, 2.0, 3.0] + rng.normal(size=100)
    problem = LinearProblem(X, y, np.full(100, 0.01), losses.Squared(), L2(0.01))
    exact = minimise(problem, Newton(1e-10)).x

    def error(average, seed):
        solver = SGD(1e-9, 30, Constant(0.05), average=average, seed=seed)
        return np.linalg.norm(minimise(problem, solver).x - exact)

    last = np.mean([error(None, s) for s in range(5)])
    assert np.mean([error(PolyakAverage(500), s) for s in range(5)]) < 0.5 * last
    assert np.mean([error(ExponentialAverage(0.01), s) for s in range(5)]) < 0.7 * last


def test_refusals():
    with pytest.raises(ValueError, match="PolyakAverage: burn_in"):
        PolyakAverage(-1)
    with pytest.raises(ValueError, match="ExponentialAverage: mu"):
        ExponentialAverage(0.0)
