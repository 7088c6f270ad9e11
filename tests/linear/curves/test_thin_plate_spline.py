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


@pytest.mark.parametrize("p", [1, 2, 7])
def test_one_row_far_away_leaves_an_answer(p):
    """Rounding takes the bending of the rest; what is left is a plane, and an honest one."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, p)), rng.normal(size=40)
    X[0, 0] = 1e12
    model = ThinPlateSpline().fit(X, y)
    far = np.zeros(40)
    far[0] = 1.0
    design = np.column_stack([np.ones(40), far, X[:, 1:]])
    wanted = design @ np.linalg.lstsq(design, y, rcond=None)[0]
    np.testing.assert_allclose(model.predict(X), wanted, atol=1e-3)
    forced = ThinPlateSpline(alpha=1.0).fit(X, y)
    assert np.isfinite(forced.predict_dist(X).var).all()


def test_an_offset_changes_nothing():
    rng = np.random.default_rng(1)
    X = np.round(64 * rng.normal(size=(30, 2))) / 64
    y = np.sin(X[:, 0]) + 0.1 * rng.normal(size=30)
    near, far = ThinPlateSpline().fit(X, y), ThinPlateSpline().fit(X + 2.0**26, y)
    np.testing.assert_allclose(far.predict(X + 2.0**26), near.predict(X), atol=1e-6)
    ours, theirs = far.predict_dist(X + 2.0**26).var, near.predict_dist(X).var
    np.testing.assert_allclose(ours, theirs, rtol=1e-6)


def test_rows_too_far_for_the_kernel():
    """Where nothing bends there is no kernel; elsewhere words, not NaN."""
    flat = ThinPlateSpline().fit([[0.0], [1.0]], [1.0, 2.0])
    np.testing.assert_allclose(flat.predict([[1e150]]), [1e150])
    bent = ThinPlateSpline(alpha=0.0).fit([[0.0], [1.0], [2.0]], [1.0, 2.0, 0.0])
    with pytest.raises(ValueError, match=r"^ThinPlateSpline: X must be so near to the rows"):
        bent.predict([[1e150]])
