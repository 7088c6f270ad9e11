import numpy as np
import pytest
from scipy import integrate, stats
from sklearn.exceptions import ConvergenceWarning

from margin.distributions import MultivariateNormal, Normal, StudentT, StudentVector


def equicorrelated(d, rho):
    return np.full((d, d), rho) + (1 - rho) * np.eye(d)


@pytest.mark.parametrize("rho", [-0.95, -0.5, 0.0, 0.3, 0.9, 0.999])
@pytest.mark.parametrize("df", [None, 1.0, 4.5])
def test_quadrant_of_two(rho, df):
    r"""distributions.07: 1/4 + arcsin(rho) / (2 pi), of every elliptical distribution."""
    scale = np.diag([2.0, 0.5]) @ equicorrelated(2, rho) @ np.diag([2.0, 0.5])
    centre = np.array([1.0, -3.0])
    law = MultivariateNormal(centre, scale) if df is None else StudentVector(df, centre, scale)
    expected = 0.25 + np.arcsin(rho) / (2 * np.pi)
    assert law.joint_cdf(centre[None])[0] == pytest.approx(expected, abs=2e-5)


@pytest.mark.parametrize(("rho", "d"), [(0.5, 3), (0.5, 8), (0.2, 3)])
def test_orthants(rho, d):
    """distributions.07: 1 / (d + 1) at correlation 1/2; three arcsines in three dimensions."""
    expected = 1 / (d + 1) if rho == 0.5 else 0.125 + 3 * np.arcsin(rho) / (4 * np.pi)
    value = MultivariateNormal(np.zeros(d), equicorrelated(d, rho)).joint_cdf(np.zeros(d))
    assert value == pytest.approx(expected, abs=2e-5)


def test_independent_coordinates_multiply():
    """distributions.07"""
    law = MultivariateNormal([0.0, 1.0, 2.0], np.diag([1.0, 4.0, 0.25]))
    x = np.array([[0.5, 0.0, 2.2], [-3.0, 5.0, 1.0]])
    np.testing.assert_allclose(law.joint_cdf(x), law.cdf(x).prod(axis=1), atol=1e-8)


@pytest.mark.parametrize("point", [(0.5, 0.3), (-1.0, 2.0), (-2.0, -1.5)])
def test_two_against_quadrature(point):
    """distributions.07"""
    C = np.array([[1.0, -0.6], [-0.6, 1.0]])
    slope, rest = -0.6, 0.8
    expected, _ = integrate.quad(
        lambda u: stats.norm.pdf(u) * stats.norm.cdf((point[1] - slope * u) / rest), -9.0, point[0]
    )
    assert MultivariateNormal([0, 0], C).joint_cdf(point) == pytest.approx(expected, abs=2e-5)


@pytest.mark.parametrize("point", [(0.5, 0.3), (-1.0, 2.0), (-20.0, 1.5)])
def test_the_cauchy_pair_in_closed_form(point):
    """distributions.07: one degree of freedom, no correlation, and yet no product."""
    x, y = point
    angle = np.arctan(x) + np.arctan(y) + np.arctan(x * y / np.sqrt(1 + x * x + y * y))
    law = StudentVector(1.0, np.zeros(2), np.eye(2))
    assert law.joint_cdf([point])[0] == pytest.approx(0.25 + angle / (2 * np.pi), abs=2e-5)


def test_five_against_scipy():
    """distributions.07"""
    rng = np.random.default_rng(3)
    A = rng.normal(size=(5, 5))
    C, x = A @ A.T + np.eye(5), rng.normal(size=5)
    ours = MultivariateNormal(np.zeros(5), C).joint_cdf(x)
    theirs = stats.multivariate_normal(np.zeros(5), C, abseps=1e-7, releps=1e-7, maxpts=10**7)
    assert ours == pytest.approx(theirs.cdf(x), abs=2e-5)
    ours = StudentVector(3.0, np.zeros(5), C).joint_cdf([x])[0]
    theirs = stats.multivariate_t(np.zeros(5), C, df=3).cdf(x, random_state=0)
    assert ours == pytest.approx(theirs, abs=2e-4)


def test_many_degrees_of_freedom_make_a_normal():
    """distributions.07"""
    C, x = equicorrelated(3, 0.4), np.array([0.2, -0.4, 1.0])
    normal = MultivariateNormal(np.zeros(3), C).joint_cdf(x)
    assert StudentVector(1e7, np.zeros(3), C).joint_cdf([x])[0] == pytest.approx(normal, abs=2e-5)


def test_free_coordinates_and_shapes():
    """distributions.07: NaN and infinity leave a coordinate free; a single one is exact."""
    C = equicorrelated(3, 0.5)
    law = MultivariateNormal(np.zeros((4, 1, 3)), C)
    assert law.joint_cdf(np.zeros((2, 3))).shape == (4, 2)
    one = MultivariateNormal(np.zeros(3), C)
    x = [[0.3, np.nan, np.inf], [np.nan] * 3, [0.0, -np.inf, 1.0]]
    np.testing.assert_array_equal(one.joint_cdf(x), [Normal().cdf(0.3), 1.0, 0.0])
    student = StudentVector(2.0, np.zeros(3), C)
    np.testing.assert_array_equal(student.joint_cdf(x), [StudentT(2.0).cdf(0.3), 1.0, 0.0])
    pair = one.joint_cdf([0.1, np.nan, -0.2])
    assert pair == pytest.approx(one.marginal([0, 2]).joint_cdf([0.1, -0.2]), abs=2e-5)


def test_the_answer_repeats_and_grows():
    """distributions.07"""
    law = MultivariateNormal(np.zeros(4), equicorrelated(4, 0.3))
    assert law.joint_cdf(np.ones(4)) == law.joint_cdf(np.ones(4))
    assert np.all(np.diff(law.joint_cdf(np.linspace(-3, 3, 13)[:, None] * np.ones(4))) > 0)


def test_too_few_points_are_told():
    law = MultivariateNormal(np.zeros(6), equicorrelated(6, 0.9))
    with pytest.warns(ConvergenceWarning, match=r"MultivariateNormal: joint_cdf is known to"):
        law.joint_cdf(np.ones(6), tol=1e-12, max_points=10_000)
    with pytest.raises(ValueError, match=r"StudentVector: x must be of shape \(n, 2\)"):
        StudentVector(3.0, np.zeros(2), np.eye(2)).joint_cdf([0.0, 0.0])
