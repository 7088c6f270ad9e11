import numpy as np
import pytest

from margin.linear import Hyperplane, LeastSquaresClassifier, LinearDiscriminantAnalysis, augment


def test_worked_example():
    """linear.26: w = (3, 4), w0 = -5; r0 = -1; at x = (3, 4) f = 20 and r = 4."""
    plane = Hyperplane([3.0, 4.0], -5.0)
    assert plane.origin_distance == -1.0
    assert plane.functional_margin([3.0, 4.0]) == 20.0
    assert plane.geometric_margin([3.0, 4.0]) == 4.0
    np.testing.assert_allclose(plane.project([3.0, 4.0]), [0.6, 0.8])


def test_every_point_is_its_projection_plus_the_distance_along_the_normal():
    """linear.26: projections lie on the plane, and differences on it are orthogonal to w."""
    rng = np.random.default_rng(0)
    plane, X = Hyperplane(rng.standard_normal(4), 0.7), rng.standard_normal((20, 4))
    foot = plane.project(X)
    np.testing.assert_allclose(plane.functional_margin(foot), 0.0, atol=1e-12)
    np.testing.assert_allclose((foot - foot[0]) @ plane.w, 0.0, atol=1e-12)
    unit = plane.w / plane.norm
    np.testing.assert_allclose(foot + plane.geometric_margin(X)[:, None] * unit, X, atol=1e-12)
    scaled = Hyperplane(5 * plane.w, 5 * plane.w0)
    np.testing.assert_allclose(scaled.geometric_margin(X), plane.geometric_margin(X))
    np.testing.assert_allclose(scaled.functional_margin(X), 5 * plane.functional_margin(X))


def test_the_constant_is_the_weight_of_a_feature_of_ones():
    """linear.27: w^ = (w0; w) on x^ = (1; x), also as a fit without intercept."""
    rng = np.random.default_rng(1)
    X, y = rng.standard_normal((50, 3)), rng.integers(2, size=50)
    plane = Hyperplane(rng.standard_normal(3), 0.4)
    np.testing.assert_allclose(augment(X) @ plane.augmented, plane.functional_margin(X))
    same = Hyperplane.of_augmented(plane.augmented)
    np.testing.assert_array_equal(same.w, plane.w)
    assert same.w0 == plane.w0
    with_intercept = LeastSquaresClassifier().fit(X, y)
    without = LeastSquaresClassifier(fit_intercept=False).fit(augment(X), y)
    np.testing.assert_allclose(
        Hyperplane.of_augmented(without.coef_[0]).functional_margin(X),
        with_intercept.decision_function(X),
        atol=1e-10,
    )


def test_canonical_form_and_labels():
    plane = Hyperplane([2.0, 0.0], -2.0)
    X, y = np.array([[2.0, 0.0], [4.0, 1.0], [-1.0, 0.0]]), np.array([1, 1, -1])
    canonical = plane.canonical(X, y)
    assert canonical.functional_margin(X, y).min() == pytest.approx(1.0)
    assert 1 / canonical.norm == pytest.approx(plane.geometric_margin(X, y).min())
    with pytest.raises(ValueError, match="X must be off the plane and on the right side"):
        plane.canonical(X, -y)


def test_boundary_of_a_model_and_refusals():
    X, y = np.array([[0.0, 0.0], [1.0, 0.5], [3.0, 3.0], [4.0, 3.0]]), [0, 0, 1, 1]
    model = LinearDiscriminantAnalysis().fit(X, y)
    np.testing.assert_allclose(
        Hyperplane.of(model).functional_margin(X), model.decision_function(X)
    )
    three = LinearDiscriminantAnalysis().fit(np.vstack([X, X[:2] + 9]), [*y, 2, 2])
    with pytest.raises(ValueError, match="model must be of two classes"):
        Hyperplane.of(three)
    with pytest.raises(ValueError, match="w must be a finite vector that is not zero"):
        Hyperplane([0.0, 0.0])
    with pytest.raises(ValueError, match="w0 must be finite"):
        Hyperplane([1.0], np.nan)
