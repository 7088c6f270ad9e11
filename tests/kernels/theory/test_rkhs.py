"""Functions of a reproducing-kernel Hilbert space (kernels.01, kernels.34)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import RBF, KernelFunction, Linear, Matern, fourier_inner

rng = np.random.default_rng(0)
X = rng.normal(size=(8, 2))


def test_reproducing_property():
    """kernels.34: <f, k_x> = f(x) and <k_x, k_z> = k(x, z)."""
    kernel = Matern(0.9)
    f = KernelFunction(kernel, X, rng.normal(size=8))
    for point in rng.normal(size=(5, 1, 2)):
        section = KernelFunction.section(kernel, point)
        assert_allclose(f.inner(section), f(point)[0], rtol=1e-12)
        assert_allclose(section.norm(), 1.0)
        other = KernelFunction.section(kernel, X[:1])
        assert_allclose(section.inner(other), kernel(point, X[:1])[0, 0], rtol=1e-13)
        assert abs(f(point)[0]) <= f.norm() + 1e-12


def test_norm():
    """alpha' K alpha; for the linear kernel the norm of the weight vector."""
    a = rng.normal(size=8)
    assert_allclose(KernelFunction(RBF(1.0), X, a).norm() ** 2, a @ RBF(1.0)(X) @ a, rtol=1e-12)
    assert_allclose(KernelFunction(Linear(), X, a).norm(), np.linalg.norm(X.T @ a), rtol=1e-12)


def test_interpolation_has_the_least_norm():
    values = rng.normal(size=8)
    f = KernelFunction.interpolating(Matern(1.0), X, values)
    assert_allclose(f(X), values, atol=1e-9)
    more = np.vstack([X, rng.normal(size=(3, 2))])
    for _ in range(5):
        extra = np.append(values, rng.normal(size=3))
        assert KernelFunction.interpolating(Matern(1.0), more, extra).norm() >= f.norm() - 1e-9


@pytest.mark.parametrize("n", [256, 255])
@pytest.mark.parametrize("kernel", [Matern(1.0, nu=0.5), Matern(0.8), RBF(0.4)], ids=str)
def test_inner_product_by_the_transform(n, kernel):
    """kernels.34: with the inverse kernel 1 / F(k), sections give the kernel back."""
    period = 40.0
    x = np.arange(n)[:, None] * period / n
    f = kernel(x, x[[n // 2]])[:, 0]
    g = kernel(x, x[[n // 2 + 6]])[:, 0]
    wanted = kernel(x[[n // 2]], x[[n // 2 + 6]])[0, 0]
    assert_allclose(fourier_inner(kernel, f, g, period=period), wanted, atol=1e-7)
    assert_allclose(fourier_inner(kernel, f, f, period=period), 1.0, atol=1e-7)
    mixed = 2.0 * f - g
    assert_allclose(fourier_inner(kernel, mixed, g, period=period), 2 * wanted - 1.0, atol=1e-7)


def test_a_function_outside_the_space_is_refused():
    noise = rng.normal(size=256)
    with pytest.raises(ValueError, match="fourier_inner: f must be in the space of the kernel"):
        fourier_inner(RBF(2.0), noise, noise, period=20.0)


def test_refusals():
    with pytest.raises(ValueError, match=r"KernelFunction: coefficients must be of shape \(8,\)"):
        KernelFunction(RBF(), X, [1.0])
    f = KernelFunction(RBF(), X, np.ones(8))
    with pytest.raises(ValueError, match="KernelFunction: other must be a function of the same"):
        f.inner(KernelFunction(RBF(2.0), X, np.ones(8)))
    with pytest.raises(ValueError, match="fourier_inner: g must be of shape"):
        fourier_inner(RBF(), [1.0, 2.0], [1.0], period=1.0)
