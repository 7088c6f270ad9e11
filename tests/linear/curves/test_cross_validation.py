"""Which minimum of cross-validation is believed."""

import numpy as np
import pytest
from scipy.interpolate import make_smoothing_spline
from scipy.stats import chi2

from margin.linear import SmoothingSpline, ThinPlateSpline
from margin.linear.curves._cross_validation import LUCK, lucky_share, strength_of_least_score


def noisy(seed, n=100, noise=0.3):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, 1))
    return X, np.sin(2 * X[:, 0]) + noise * rng.normal(size=n)


def error(predict):
    grid = np.linspace(-0.9, 0.9, 201)
    return np.sqrt(np.mean((predict(grid[:, None]) - np.sin(2 * grid)) ** 2))


@pytest.mark.parametrize("seed", [4, 12, 20])
def test_noise_is_not_interpolated(seed):
    """Two close abscissae made the score of interpolation the least: 99.99 degrees of freedom."""
    X, y = noisy(seed)
    spline, plate = SmoothingSpline().fit(X, y), ThinPlateSpline().fit(X, y)
    assert spline.dof_ < 30
    assert plate.dof_ == pytest.approx(spline.dof_, rel=0.05)
    assert error(spline.predict) < 0.15
    assert error(plate.predict) < 0.15


@pytest.mark.parametrize("noise", [0.05, 0.3, 1.0])
def test_as_near_to_the_truth_as_scipy(noise):
    ours, theirs = [], []
    for seed in range(40):
        X, y = noisy(seed, noise=noise)
        order = np.argsort(X[:, 0])
        peer = make_smoothing_spline(X[order, 0], y[order])
        ours.append(error(SmoothingSpline().fit(X, y).predict))
        theirs.append(error(lambda grid, peer=peer: peer(grid[:, 0])))
    assert np.median(ours) < 1.1 * np.median(theirs)
    assert max(ours) < 2.5 * max(theirs)


def test_exact_values_are_still_followed():
    X, y = noisy(0, n=30, noise=0.0)
    assert error(SmoothingSpline().fit(X, y).predict) < 2e-3
    x = np.linspace(0, 1, 20)
    wave = np.sin(20 * x)
    assert np.abs(SmoothingSpline().fit(x, wave).predict(x) - wave).max() < 1e-6


@pytest.mark.parametrize("exponent", [-6.0, -3.0, 0.0])
def test_directions_that_a_score_rests_on(exponent):
    """From the slope of the degrees of freedom, and by the sums themselves."""
    gamma = 10.0 ** np.random.default_rng(0).uniform(0, 3, 40)
    kept = 10.0**exponent * gamma / (1 + 10.0**exponent * gamma)
    directions = kept.sum() ** 2 / (kept**2).sum()

    def judge(t):
        return 1.0, float(np.sum(1 - 1 / (1 + 10.0**t * gamma)))

    expected = chi2.ppf(LUCK, directions) / directions
    assert lucky_share(judge, exponent) == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize(("low", "best"), [(0.9, 3.0), (1e-2, 3.0), (1e-7, -4.0)])
def test_a_rough_curve_must_win_by_more_than_luck(low, best):
    """Two directions are left below -1: chance makes 1e-3 of a score there."""

    def judge(t):
        score = 1.0 + 0.1 * (t - 3.0) ** 2 if t > -1 else low * (1 + (t + 4.0) ** 2)
        return score, 1 / (1 + 10.0**-t) + 49 / (1 + 10.0 ** (2 - t))

    at = strength_of_least_score(judge, 50.0, np.arange(-8.0, 8.0))
    assert at == pytest.approx(best, abs=1e-3)


def test_refinement_stays_out_of_the_valley_of_luck():
    """The score falls without end below 0; its believed minimum is at 2.3."""

    def judge(t):
        score = (t - 2.3) ** 2 + 1.0 if t > 0.5 else 0.6 + 0.01 * t
        return score, 90.0 if t > 0.5 else 1 / (1 + 10.0**-t)

    best = strength_of_least_score(judge, 100.0, np.arange(-5.0, 6.0))
    assert best == pytest.approx(2.3, abs=1e-4)
