"""Averages of iterates (optim.07)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin import losses, optim, penalties
from margin.optim import ExponentialAverage, PolyakAverage


def follow(average, points):
    mean = np.zeros(points.shape[1])
    for m, w in zip(average.mix(0, len(points)), points, strict=True):
        mean = mean + m * (w - mean)
    return mean


def test_polyak_is_the_plain_mean():
    points = np.random.default_rng(0).normal(size=(30, 4))
    assert_allclose(follow(PolyakAverage(), points), points.mean(axis=0))
    assert_allclose(follow(PolyakAverage(burn_in=10), points), points[10:].mean(axis=0))
    assert_allclose(follow(PolyakAverage(burn_in=29), points), points[-1])
    assert_allclose(follow(PolyakAverage(burn_in=50), points), points[-1])


def test_exponential_average_has_its_weights():
    """optim.07: an iterate of s steps ago has the weight mu (1 - mu)^s."""
    points = np.random.default_rng(0).normal(size=(30, 4))
    weights = 0.2 * 0.8 ** np.arange(30)[::-1]
    weights[0] = 0.8**29
    assert_allclose(weights.sum(), 1.0)
    assert_allclose(follow(ExponentialAverage(0.2), points), weights @ points)


@pytest.mark.parametrize("average", [PolyakAverage(7), ExponentialAverage(0.1)])
def test_factors_do_not_depend_on_where_epochs_end(average):
    whole = average.mix(0, 25)
    assert_allclose(np.concatenate([average.mix(0, 10), average.mix(10, 15)]), whole)


def test_average_is_less_noisy_than_the_last_iterate():
    """optim.07: over many seeds the averaged iterate has the lower objective and variance."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 3))
    y = X @ np.ones(3) + rng.normal(size=200)
    rows = optim.RowSum.build(X, y, None, losses.Squared(), penalties.L2(0.1))
    last, mean = [], []
    for seed in range(20):
        solver = optim.SGD(
            schedule=optim.Constant(0.05), average=ExponentialAverage(0.01), seed=seed
        )
        progress = solver.begin(rows, np.zeros(4))
        for _ in range(5):
            progress = solver.epoch(rows, progress)
        last.append(progress.w)
        mean.append(progress.point)
    values = [[rows.value(w) for w in points] for points in (last, mean)]
    assert max(values[1]) < np.mean(values[0])
    assert np.std(mean, axis=0).max() < 0.5 * np.std(last, axis=0).min()


@pytest.mark.parametrize(
    "make",
    [lambda: PolyakAverage(-1), lambda: ExponentialAverage(0.0), lambda: ExponentialAverage(1.5)],
)
def test_bad_settings_are_refused(make):
    with pytest.raises(ValueError, match=r"(PolyakAverage|ExponentialAverage): \w+ must be"):
        make()
