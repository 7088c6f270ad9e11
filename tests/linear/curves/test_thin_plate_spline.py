import numpy as np
import pytest
from scipy.interpolate import RBFInterpolator

from margin.linear import SmoothingSpline, ThinPlateSpline


@pytest.mark.parametrize("d", [1, 2, 3, 5])
def test_interpolates_in_any_dimension(d):
    """linear.19"""
    rng = np.random.default_rng(d)
    X, y = rng.random((30, d)), rng.standard_normal(30)
    model = ThinPlateSpline(alpha=0.0).fit(X, y)
    np.testing.assert_allclose(model.predict(X), y, atol=1e-6)
    size = np.abs(model.dual_coef_).sum()
    np.testing.assert_allclose(model.dual_coef_.sum() / size, 0, atol=1e-9)
    np.testing.assert_allclose(model.points_.T @ model.dual_coef_ / size, 0, atol=1e-9)
    assert model.bending_energy_ >= 0


@pytest.mark.parametrize("alpha", [0.0, 0.3])
def test_agrees_with_scipy_in_the_plane(alpha):
    """linear.19: the joint saddle-point system, smoothing included."""
    rng = np.random.default_rng(1)
    X, y, new = rng.random((40, 2)), rng.standard_normal(40), rng.random((20, 2))
    theirs = RBFInterpolator(X, y, smoothing=alpha, kernel="thin_plate_spline", degree=1)
    np.testing.assert_allclose(
        ThinPlateSpline(alpha=alpha).fit(X, y).predict(new), theirs(new), atol=1e-6
    )


def test_on_the_line_it_is_the_smoothing_spline():
    """linear.19: the bending energy of r^3 is 12 times the integral of the squared curvature."""
    rng = np.random.default_rng(2)
    x, y = np.sort(rng.random(25)), rng.standard_normal(25)
    plate = ThinPlateSpline(alpha=12 * 1e-3).fit(x[:, None], y)
    spline = SmoothingSpline(alpha=1e-3).fit(x, y)
    grid = np.linspace(-0.2, 1.2, 50)
    np.testing.assert_allclose(plate.predict(grid[:, None]), spline.predict(grid), atol=1e-7)


def test_planes_bend_nothing_and_huge_penalties_give_a_plane():
    rng = np.random.default_rng(3)
    X = rng.random((30, 2))
    plane = ThinPlateSpline(alpha=0.1).fit(X, 2 + X @ [1.0, -3.0])
    assert plane.bending_energy_ == pytest.approx(0, abs=1e-10)
    np.testing.assert_allclose(plane.coef_, [1.0, -3.0], atol=1e-8)
    flat = ThinPlateSpline(alpha=1e9).fit(X, rng.standard_normal(30))
    assert flat.dof_ == pytest.approx(3, abs=1e-4)


def test_gcv_denoises_and_weights_are_repetitions():
    rng = np.random.default_rng(4)
    X = rng.random((150, 2))
    truth = np.sin(4 * X[:, 0]) * X[:, 1]
    y = truth + 0.2 * rng.standard_normal(150)
    model = ThinPlateSpline().fit(X, y)
    assert np.mean((model.predict(X) - truth) ** 2) < 0.25 * np.mean((y - truth) ** 2)
    counts = rng.integers(0, 3, size=150)
    twice = np.repeat(np.arange(150), counts)
    a, b = ThinPlateSpline().fit(X, y, counts), ThinPlateSpline().fit(X[twice], y[twice])
    np.testing.assert_allclose(a.predict(X), b.predict(X), atol=1e-6)


def test_certificate_and_refusals():
    X = np.random.default_rng(5).random((20, 2))
    model = ThinPlateSpline().fit(X, X[:, 0] ** 2)
    assert model.fit_report_.certificate.holds
    for bad in ("auto", -1.0):
        with pytest.raises(ValueError, match="ThinPlateSpline: alpha must be a number"):
            ThinPlateSpline(alpha=bad).fit(X, X[:, 0])


def test_law_of_a_new_target():
    """linear.19: honest intervals, wider away from the rows."""
    rng = np.random.default_rng(2)
    X = rng.uniform(-1.0, 1.0, size=(250, 2))

    def surface(Z):
        return np.sin(3 * Z[:, 0]) * Z[:, 1]

    y = surface(X) + 0.2 * rng.normal(size=250)
    model = ThinPlateSpline().fit(X, y)
    assert model.noise_variance_ == pytest.approx(0.04, rel=0.15)
    new = rng.uniform(-0.9, 0.9, size=(4000, 2))
    law = model.predict_dist(new)
    np.testing.assert_allclose(law.mean, model.predict(new))
    np.testing.assert_allclose(law.df, 250 - model.dof_)
    low, high = law.interval(0.9)
    seen = surface(new) + 0.2 * rng.normal(size=4000)
    assert abs(np.mean((seen > low) & (seen < high)) - 0.9) < 0.03
    ray = model.predict_dist([[0.0, 0.0], [2.0, 2.0], [4.0, 4.0]]).scale
    assert (np.diff(ray) > 0).all()


def test_no_law_of_an_interpolant():
    X = np.random.default_rng(0).normal(size=(12, 2))
    model = ThinPlateSpline(alpha=0.0)
    assert hasattr(model, "predict_dist")
    assert not hasattr(model.fit(X, X[:, 0] ** 2), "predict_dist")
