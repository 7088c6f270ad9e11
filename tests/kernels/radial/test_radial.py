"""What radial kernels share: weighted radius (kernels.06), sparse tables, weighted gradients."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from margin.kernels import RBF, GammaExponential, Matern, RationalQuadratic, Wendland
from margin.kernels.radial._radial import square_sums

KERNELS = [
    RBF((1.0, 2.0, 3.0)),
    Matern((1.0, 2.0, 3.0), nu=0.5),
    Matern((1.0, 2.0, 3.0), nu=1.5),
    Matern((1.0, 2.0, 3.0), nu=2.5),
    Matern((1.0, 2.0, 3.0), nu=1.2),
    GammaExponential((1.0, 2.0, 3.0), 1.3),
    RationalQuadratic((1.0, 2.0, 3.0), 0.7),
    Wendland((4.0, 6.0, 9.0)),
]
X = np.random.default_rng(0).normal(size=(150, 3))


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_weighted_radius_is_the_profile_of_the_distance(kernel):
    """kernels.06: ARD by brute force over pairs, for every radial kernel."""
    scales = np.array(kernel.length_scale)
    squares = (((X[:, None] - X[None, :9]) / scales) ** 2).sum(axis=2)
    assert_allclose(kernel(X, X[:9]), kernel.profile(squares), rtol=1e-11, atol=1e-15)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_equal_length_scales_are_one_length_scale(kernel):
    alike = type(kernel)((2.5, 2.5, 2.5), **rest(kernel))
    one = type(kernel)(2.5, **rest(kernel))
    assert_allclose(alike(X), one(X), rtol=1e-14)
    total = alike.gradient(X)[:3].sum(axis=0)
    assert_allclose(total, one.gradient(X)[0], rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_sparse_tables(kernel):
    """A sparse table gives what the dense one gives, gradient included."""
    rng = np.random.default_rng(1)
    table = sparse.random_array((60, 3), density=0.4, rng=rng).tocsr()
    dense = table.toarray()
    slack = {"rtol": 1e-6, "atol": 2e-7}  # norms of equal rows cancel to rounding, then the root
    assert_allclose(kernel(table), kernel(dense), **slack)
    assert_allclose(kernel(table[:9], dense), kernel(dense[:9], dense), **slack)
    assert (np.diagonal(kernel(table)) == 1.0).all()
    weight = rng.normal(size=(60, 60))
    if not isinstance(kernel, Matern | GammaExponential):  # rough kernels: slopes grow near zero
        wanted = kernel.gradient_product(dense, weight)
        assert_allclose(kernel.gradient_product(table, weight), wanted, rtol=1e-5)


@pytest.mark.parametrize("columns", [3, 70])
@pytest.mark.parametrize("name", ["rbf", "matern", "gamma", "rational"])
def test_weighted_gradients_of_few_and_many_columns(columns, name):
    """One pass in compiled code, or products of matrices: the sums of the full derivatives."""
    rng = np.random.default_rng(2)
    scales = tuple(rng.uniform(0.7, 1.5, size=columns) * np.sqrt(columns))
    kernel = {
        "rbf": RBF(scales),
        "matern": Matern(scales, nu=2.5),
        "gamma": GammaExponential(scales, 1.4),
        "rational": RationalQuadratic(scales, 2.0),
    }[name]
    table, weight = rng.normal(size=(130, columns)), rng.normal(size=(130, 130))
    wanted = np.einsum("pij,ij->p", kernel.gradient(table), weight)
    assert_allclose(kernel.gradient_product(table, weight), wanted, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize("columns", [3, 70])
@pytest.mark.parametrize("name", ["rbf", "matern", "gamma", "rational", "wendland", "one"])
def test_gradients_between_two_tables(columns, name):
    """Against differences, in the hyper-parameters and in the points."""
    rng = np.random.default_rng(4)
    scales = tuple(rng.uniform(0.7, 1.5, size=columns) * np.sqrt(columns))
    kernel = {
        "rbf": RBF(scales),
        "matern": Matern(scales, nu=2.5),
        "gamma": GammaExponential(scales, 1.4),
        "rational": RationalQuadratic(scales, 2.0),
        "wendland": Wendland(tuple(3.0 * np.array(scales)), dimension=columns),
        "one": Matern(1.3 * np.sqrt(columns), nu=1.5),
    }[name]
    left, right = rng.normal(size=(66, columns)), rng.normal(size=(131, columns))
    weight = rng.normal(size=(66, 131))
    theta, points, total = kernel.cross_gradient_product(left, right, weight)
    assert_allclose(total, (weight * kernel(left, right)).sum(), rtol=1e-10, atol=1e-10)
    assert theta.shape == kernel.theta.shape
    assert points.shape == left.shape
    for j in {0, len(theta) - 1}:
        h = 1e-5 * np.eye(len(theta))[j]
        up, down = (kernel.with_theta(kernel.theta + s * h) for s in (1, -1))
        numeric = (weight * (up(left, right) - down(left, right))).sum() / 2e-5
        assert_allclose(theta[j], numeric, rtol=1e-5, atol=1e-6)
    for i, k in ((0, 0), (65, columns - 1)):
        step = np.zeros_like(left)
        step[i, k] = 1e-5
        numeric = (weight * (kernel(left + step, right) - kernel(left - step, right))).sum() / 2e-5
        assert_allclose(points[i, k], numeric, rtol=1e-5, atol=1e-6)


def test_square_sums_by_brute_force():
    weight = np.random.default_rng(3).normal(size=(20, 20))
    table = X[:20]
    wanted = [
        sum(weight[i, j] * (table[i, k] - table[j, k]) ** 2 for i in range(20) for j in range(20))
        for k in range(3)
    ]
    assert_allclose(square_sums(table, weight), wanted, rtol=1e-10)
    assert_allclose(square_sums(sparse.csr_array(table), weight), wanted, rtol=1e-10)


def rest(kernel):
    """Arguments other than the length scale."""
    names = ("nu", "gamma", "alpha", "dimension", "smoothness")
    return {name: getattr(kernel, name) for name in names if hasattr(kernel, name)}
