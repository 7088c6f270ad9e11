"""The Gaussian kernel: contract, golden numbers, parametrisations, far points (kernels.05)."""

import math
from itertools import pairwise

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.integrate import quad
from sklearn.gaussian_process import kernels as peer
from sklearn.metrics.pairwise import rbf_kernel

from margin.kernels import RBF, representer
from margin.testing import KernelContract


class TestRBF(KernelContract):
    stationary = True

    def make(self):
        return [RBF(), RBF(0.3), RBF((0.5, 1.0, 2.0))]


class TestManyColumns(KernelContract):
    """The path by a product of matrices."""

    stationary = True

    def make(self):
        return [RBF(9.0), RBF(tuple(np.linspace(5.0, 12.0, 80)))]

    def draw(self, rng, n):
        return rng.normal(size=(n, 80)) + 100.0


def test_golden_number_at_one_length_scale():
    """kernels.05: r = rho gives exp(-1/2)."""
    assert_allclose(RBF(3.0)([[0.0, 0.0]], [[3.0, 0.0]]), [[0.606531]], atol=5e-7)


def test_parametrisations_agree():
    """rho and sigma (2 sigma²), h (h²) and gamma are one kernel."""
    x, z, d2 = [[1.0, 2.0]], [[3.0, 5.0]], 13.0
    assert_allclose(RBF(2.0)(x, z), np.exp(-d2 / 8.0), rtol=1e-14)
    assert_allclose(RBF.from_width(2.0)(x, z), np.exp(-d2 / 4.0), rtol=1e-14)
    assert_allclose(RBF.from_gamma(0.3)(x, z), np.exp(-0.3 * d2), rtol=1e-14)


def test_four_parametrisations_are_one_kernel():
    """kernels.05: rho, sigma (2 s²), h (h²) and gamma, entry by entry in plain arithmetic."""
    rng = np.random.default_rng(4)
    X, Z = rng.normal(size=(6, 3)), rng.normal(size=(5, 3))
    for sigma in (0.2, 1.0, 7.0):
        h, gamma = math.sqrt(2.0) * sigma, 0.5 / sigma**2
        written = [
            [math.exp(-(math.dist(x, z) ** 2) / (2.0 * sigma**2)) for z in Z.tolist()]
            for x in X.tolist()
        ]
        by_width = [[math.exp(-(math.dist(x, z) ** 2) / h**2) for z in Z] for x in X]
        assert_allclose(written, by_width, rtol=1e-12)
        for kernel in (RBF(sigma), RBF.from_width(h), RBF.from_gamma(gamma), RBF((sigma,) * 3)):
            assert_allclose(kernel(X, Z), written, rtol=1e-12)


@pytest.mark.parametrize("distance", [0.0, 0.5, 2.0, 5.0])
def test_it_is_a_mean_of_waves(distance):
    """kernels.05: Bochner: the cosine of a normal frequency, by numerical integration."""
    scale = 1.3

    def wave(frequency):
        density = scale / math.sqrt(2 * math.pi) * math.exp(-0.5 * (scale * frequency) ** 2)
        return density * math.cos(frequency * distance)

    mean = quad(wave, -20 / scale, 20 / scale, limit=200)[0]
    assert_allclose(RBF(scale)([[0.0]], [[distance]])[0, 0], mean, atol=1e-9)


def test_universal():
    """kernels.05: with one width, sums come ever nearer to a function with three corners."""

    def corners(x):
        return np.abs(np.abs(x) - 0.5)  # continuous, not smooth: not in the space itself

    x, errors = np.linspace(-1.0, 1.0, 1001), []
    for n in (6, 12, 24, 48):
        nodes = np.linspace(-1.2, 1.2, n)
        f = representer(RBF(0.1), nodes[:, None], corners(nodes), noise=1e-13)
        errors.append(np.abs(f(x[:, None]) - corners(x)).max())
    assert all(nearer < 0.5 * before for before, nearer in pairwise(errors))
    assert errors[-1] < 0.02


def test_distinct_points_are_always_independent():
    """kernels.05: strictly positive definite, with the determinant of two points in closed form."""
    for gap in (0.1, 1.0, 4.0):
        K = RBF(1.5)([[0.0], [gap]])
        assert_allclose(np.linalg.det(K), 1.0 - math.exp(-((gap / 1.5) ** 2)), rtol=1e-10)
    X = np.random.default_rng(5).uniform(-4, 4, size=(40, 3))
    assert np.linalg.eigvalsh(RBF(0.8)(X))[0] > 0


def test_a_narrow_machine_is_the_nearest_neighbour_rule():
    """kernels.05: as the width goes to zero every query takes the label of its nearest row."""
    rng = np.random.default_rng(6)
    X, Z = rng.normal(size=(60, 2)), rng.normal(size=(200, 2))
    y = np.where(rng.random(60) < 0.5, 1.0, -1.0)
    nearest = y[((Z[:, None] - X) ** 2).sum(axis=2).argmin(axis=1)]
    agree = [
        np.mean(np.sign(representer(RBF(width), X, y, noise=1e-8)(Z)) == nearest)
        for width in (1.0, 0.3, 0.06)
    ]
    assert agree[0] < agree[1] < agree[2]
    assert agree[2] == 1.0


@pytest.mark.parametrize("columns", [1, 3, 64, 65, 120])
def test_agrees_with_scikit_learn(columns):
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(70, columns)), rng.normal(size=(130, columns))
    scales = rng.uniform(1.0, 3.0, size=columns) * np.sqrt(columns)
    ours, theirs = RBF(tuple(scales)), peer.RBF(scales)
    assert_allclose(ours(X, Z), theirs(X, Z), rtol=1e-12)
    K, gradient = theirs(X, eval_gradient=True)
    assert_allclose(ours(X), K, rtol=1e-12)
    assert_allclose(ours.gradient(X), np.moveaxis(gradient, 2, 0), atol=1e-13)
    assert_allclose(RBF.from_gamma(0.1)(X, Z), rbf_kernel(X, Z, gamma=0.1), rtol=1e-10)


@pytest.mark.parametrize("columns", [2, 100])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_points_far_from_the_origin_keep_their_digits(columns, dtype):
    """A shift that is exact in floating point changes nothing."""
    rng = np.random.default_rng(1)
    X = (rng.integers(-64, 64, size=(40, columns)) / 64.0).astype(dtype)
    moved = (X + dtype(8192.0)).astype(dtype)
    assert_allclose(RBF(0.5)(moved), RBF(0.5)(X), rtol=2e-5 if dtype == np.float32 else 1e-13)


def test_narrow_width_is_the_identity_and_the_nearest_neighbour():
    """As the width goes to zero only the nearest point counts."""
    rng = np.random.default_rng(2)
    X, Z = rng.normal(size=(30, 2)), rng.normal(size=(10, 2))
    assert_allclose(RBF(1e-3)(X), np.eye(30), atol=1e-12)
    nearest = ((Z[:, None] - X) ** 2).sum(axis=2).argmin(axis=1)
    assert (RBF(0.05)(Z, X).argmax(axis=1) == nearest).all()


def test_duplicates_close_to_each_other_have_exactly_one():
    X = np.random.default_rng(3).normal(size=(5, 90)) * 1e3
    assert (np.diagonal(RBF(1.0)(X, X.copy())) == 1.0).all()
    assert (np.diagonal(RBF(1.0)(X)) == 1.0).all()


@pytest.mark.parametrize(
    "bad", [0.0, -1.0, np.nan, np.inf, "a", (), (1.0, 0.0), [[1.0]], None, True]
)
def test_length_scale_is_refused(bad):
    with pytest.raises(ValueError, match="RBF: length_scale must be"):
        RBF(bad)


@pytest.mark.parametrize("gamma", [0.0, -1.0, np.inf, np.nan])
def test_gamma_is_refused(gamma):
    with pytest.raises(ValueError, match="RBF: gamma must be a number above 0"):
        RBF.from_gamma(gamma)


def test_wrong_number_of_length_scales():
    wanted = r"RBF: length_scale must be one number or one per column \(3\), got '2 numbers'"
    with pytest.raises(ValueError, match=wanted):
        RBF((1.0, 2.0))(np.zeros((4, 3)))
