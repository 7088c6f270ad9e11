import numpy as np
import pytest
from scipy.interpolate import CubicSpline, make_smoothing_spline

from margin.linear import SmoothingSpline


@pytest.fixture
def curve():
    rng = np.random.default_rng(0)
    x = np.sort(rng.random(80)) * 10
    return x, np.sin(x) + 0.2 * rng.standard_normal(80), rng.random(80) + 0.5


def test_agrees_with_scipy(curve):
    """linear.18"""
    x, y, weight = curve
    model = SmoothingSpline(alpha=0.3).fit(x, y, weight)
    theirs = make_smoothing_spline(x, y, weight, lam=0.3)
    grid = np.linspace(x[0], x[-1], 300)
    np.testing.assert_allclose(model.predict(grid), theirs(grid), atol=1e-9)


def test_the_fit_is_the_minimum_of_its_objective(curve):
    """linear.18: no natural cubic through nearby values has a lower penalised sum."""
    x, y, _ = curve
    model = SmoothingSpline(alpha=0.1).fit(x, y)

    def objective(values):
        spline = CubicSpline(x, values, bc_type="natural")
        bend = spline(x, 2)
        rough = np.sum(np.diff(x) * (bend[1:] ** 2 + bend[1:] * bend[:-1] + bend[:-1] ** 2)) / 3
        return np.sum((y - values) ** 2) + 0.1 * rough

    best = objective(model.values_)
    assert model.fit_report_.objective == pytest.approx(best, rel=1e-8)
    rng = np.random.default_rng(1)
    for _ in range(20):
        assert objective(model.values_ + 1e-3 * rng.standard_normal(len(x))) > best


def test_limits(curve):
    """linear.18: no penalty interpolates, infinite penalty is the least-squares line, dof 2..n."""
    x, y, weight = curve
    rough = SmoothingSpline(alpha=1e-9).fit(x, y)
    np.testing.assert_allclose(rough.predict(x), y, atol=1e-3)
    assert rough.dof_ == pytest.approx(len(x), abs=0.5)
    straight = SmoothingSpline(alpha=1e12).fit(x, y, weight)
    line = np.polyfit(x, y, 1, w=np.sqrt(weight))
    np.testing.assert_allclose(straight.predict(x), np.polyval(line, x), atol=1e-5)
    assert straight.dof_ == pytest.approx(2, abs=1e-5)


def test_gcv_chooses_the_minimum(curve):
    x, y, _ = curve
    model = SmoothingSpline().fit(x, y)
    for factor in (0.5, 2.0, *10.0 ** np.arange(-4, 8)):
        other = SmoothingSpline(alpha=model.alpha_ * factor).fit(x, y)
        assert other.gcv_ >= model.gcv_
    assert 3 < model.dof_ < 0.5 * len(x)
    truth = np.sin(x)
    assert np.mean((model.predict(x) - truth) ** 2) < 0.3 * np.mean((y - truth) ** 2)


@pytest.mark.parametrize("dof", [3.0, 10.5, 40.0])
def test_degrees_of_freedom_are_met(curve, dof):
    x, y, weight = curve
    assert SmoothingSpline(dof=dof).fit(x, y, weight).dof_ == pytest.approx(dof, abs=1e-5)


def test_straight_outside_the_data_and_smooth_at_the_ends(curve):
    x, y, _ = curve
    model = SmoothingSpline(alpha=0.1).fit(x, y)
    beyond = model.predict(x[-1] + np.array([0.0, 1.0, 2.0, 3.0]))
    np.testing.assert_allclose(np.diff(beyond, 2), 0, atol=1e-9)
    h = 1e-6
    left, at, right = model.predict(np.array([x[0] - h, x[0], x[0] + h]))
    assert (right - at) / h == pytest.approx((at - left) / h, rel=1e-3)


def test_weights_are_repetitions_and_ties_are_averaged(curve):
    x, y, _ = curve
    counts = np.random.default_rng(2).integers(0, 3, size=len(x))
    repeated = np.repeat(np.arange(len(x)), counts)
    a = SmoothingSpline(alpha=0.2).fit(x, y, counts)
    b = SmoothingSpline(alpha=0.2).fit(x[repeated], y[repeated])
    np.testing.assert_allclose(a.predict(x), b.predict(x), atol=1e-10)
    assert a.gcv_ == pytest.approx(b.gcv_)


def test_very_few_knots():
    assert SmoothingSpline().fit([1.0], [2.0]).predict([5.0]) == 2.0
    np.testing.assert_allclose(SmoothingSpline().fit([0.0, 1.0], [1.0, 3.0]).predict([2.0]), 5.0)


def test_refusals():
    with pytest.raises(ValueError, match="dof must be None when alpha is given"):
        SmoothingSpline(alpha=1.0, dof=3).fit([0, 1, 2], [0, 1, 2])
    with pytest.raises(ValueError, match="dof must be above 2 and at most 3 here, got 9"):
        SmoothingSpline(dof=9).fit([0, 1, 2], [0, 1, 2])
    with pytest.raises(ValueError, match="alpha must be a number above 0, got 0"):
        SmoothingSpline(alpha=0).fit([0, 1, 2], [0, 1, 2])


def test_law_of_a_new_target():
    """linear.18: noise by residuals and freedom; curve by leverage over weight; and coverage."""
    rng = np.random.default_rng(3)
    x = np.sort(rng.uniform(0.0, 6.0, 400))
    y = np.sin(x) + 0.3 * rng.normal(size=400)
    model = SmoothingSpline().fit(x, y)
    law = model.predict_dist(x)
    np.testing.assert_allclose(law.mean, model.predict(x))
    np.testing.assert_allclose(law.df, 400 - model.dof_)
    np.testing.assert_allclose(model.noise_variance_, 0.09, rtol=0.1)
    np.testing.assert_allclose(law.scale**2, model.noise_variance_ * (1 + model.leverage_))
    new = rng.uniform(0.0, 6.0, 20_000)
    low, high = model.predict_dist(new).interval(0.9)
    seen = np.sin(new) + 0.3 * rng.normal(size=len(new))
    assert abs(np.mean((seen > low) & (seen < high)) - 0.9) < 0.02
    outside = model.predict_dist([7.0, 9.0, 12.0]).scale
    assert (np.diff(outside) > 0).all()


def test_no_law_without_freedom():
    """linear.18: an interpolant leaves nothing to estimate the noise by."""
    x = np.arange(5.0)
    model = SmoothingSpline(dof=4.5)
    assert hasattr(model, "predict_dist")
    assert not hasattr(model.fit(x, x**2), "predict_dist")
    lone = SmoothingSpline(alpha=1.0).fit(np.ones(6), np.arange(6.0))
    law = lone.predict_dist([1.0])
    np.testing.assert_allclose(law.scale**2, 3.5 * (1 + 1 / 6))
    assert law.df == 5.0


@pytest.mark.parametrize("x", [[-4e-311, -3e-311], [0.0, 1e-100, 2e-100]])
def test_abscissae_too_near_for_their_cubes_are_refused(x):
    with pytest.raises(ValueError, match="X must be spread over 1e-95 at least"):
        SmoothingSpline().fit(x, np.arange(len(x)))
