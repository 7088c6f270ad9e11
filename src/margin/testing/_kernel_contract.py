"""What every kernel must satisfy."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from margin.testing._values import assert_is_value

Floats = NDArray[np.float64]


class KernelContract:
    r"""Base class of the tests of a kernel: subclass it and give :meth:`make`.

    A kernel is a value with ``kernel(X, Z=None)`` (matrix of shape ``(n, m)``), ``diag(X)``,
    ``theta`` (vector of logarithms of its hyper-parameters), ``with_theta(theta)`` (the same
    kernel at other hyper-parameters), ``gradient(X)`` (array of shape ``(len(theta), n, n)``,
    :math:`\partial K / \partial \theta_j`) and the algebra ``k1 + k2``, ``k1 * k2``, ``c * k``.

    Attributes
    ----------
    n : int
        Objects drawn.
    stationary : bool
        Whether the kernel of an object with itself is the same for all objects.
    """

    n = 12
    stationary = False

    def make(self) -> Iterable[Any]:
        """Kernels to test, a few hyper-parameters each."""
        raise NotImplementedError

    def draw(self, rng: np.random.Generator, n: int) -> Any:
        """Random objects; vectors unless overridden (strings, trees, graphs)."""
        return rng.normal(size=(n, 3))

    def join(self, X: Any, Z: Any) -> Any:
        """Both sets of objects one after the other."""
        return np.concatenate([X, Z]) if isinstance(X, np.ndarray) else [*X, *Z]

    def cases(self) -> Iterable[tuple[Any, Any, Any]]:
        """Every kernel with two sets of objects of different sizes."""
        for kernel in self.make():
            rng = np.random.default_rng(0)
            yield kernel, self.draw(rng, self.n), self.draw(rng, self.n - 5)

    def test_is_an_immutable_value(self) -> None:
        """Frozen, hashable, equal to its copies."""
        for kernel in self.make():
            assert_is_value(kernel)

    def test_symmetric(self) -> None:
        """``K(X, Z)`` is the transpose of ``K(Z, X)``, and ``K(X)`` its own, exactly."""
        for kernel, X, Z in self.cases():
            K = kernel(X)
            assert K.shape == (self.n, self.n)
            np.testing.assert_array_equal(K, K.T, err_msg=f"{kernel} is not symmetric")
            np.testing.assert_allclose(kernel(X, Z), kernel(Z, X).T, rtol=1e-12, atol=1e-14)
            np.testing.assert_allclose(kernel(X, X), K, rtol=1e-10, atol=1e-12)

    def test_blocks_agree(self) -> None:
        """The matrix of joined sets is made of the matrices of the sets."""
        for kernel, X, Z in self.cases():
            joint = kernel(self.join(X, Z))
            np.testing.assert_allclose(joint[: self.n, self.n :], kernel(X, Z), atol=1e-12)
            np.testing.assert_allclose(joint[self.n :, self.n :], kernel(Z), atol=1e-12)

    def test_diagonal(self) -> None:
        """``diag`` is the diagonal of the matrix, at the cost of a vector."""
        for kernel, X, _ in self.cases():
            d = kernel.diag(X)
            assert d.shape == (self.n,)
            np.testing.assert_allclose(d, np.diagonal(kernel(X)), rtol=1e-12, atol=1e-14)
            if self.stationary:
                np.testing.assert_allclose(d, d[0], rtol=1e-12)

    def test_positive_semidefinite(self) -> None:
        """No eigenvalue below zero by more than rounding, also with repeated objects."""
        for kernel, X, _ in self.cases():
            for objects in (X, self.join(X, X)):
                values = np.linalg.eigvalsh(kernel(objects))
                lowest = float(values[0])
                assert lowest >= -1e-10 * max(1.0, float(values[-1])), (
                    f"{kernel} has the eigenvalue {lowest}"
                )

    def test_cauchy_schwarz(self) -> None:
        """No entry exceeds the geometric mean of its diagonal entries."""
        for kernel, X, Z in self.cases():
            bound = np.sqrt(np.outer(kernel.diag(X), kernel.diag(Z)))
            assert (np.abs(kernel(X, Z)) <= bound * (1 + 1e-10) + 1e-12).all(), f"{kernel}"

    def test_theta_round_trip(self) -> None:
        """Rebuilding a kernel from its own hyper-parameters changes nothing."""
        for kernel, X, _ in self.cases():
            theta = kernel.theta
            assert theta.ndim == 1
            assert np.isfinite(theta).all(), f"{kernel}: log hyper-parameters must be finite"
            same = kernel.with_theta(theta)
            np.testing.assert_allclose(same(X), kernel(X), rtol=1e-12)
            np.testing.assert_allclose(same.theta, theta, rtol=1e-12, atol=1e-15)

    def test_gradient_is_the_derivative(self) -> None:
        """Derivatives in the log hyper-parameters agree with central differences."""
        for kernel, X, _ in self.cases():
            given = kernel.gradient(X)
            theta = kernel.theta
            assert given.shape == (len(theta), self.n, self.n)
            for j in range(len(theta)):
                h = 1e-5 * np.eye(len(theta))[j]
                numeric = (kernel.with_theta(theta + h)(X) - kernel.with_theta(theta - h)(X)) / 2e-5
                np.testing.assert_allclose(
                    given[j], numeric, rtol=1e-5, atol=1e-7, err_msg=f"{kernel}, parameter {j}"
                )

    def test_algebra(self) -> None:
        """Sums, products and positive multiples of kernels are kernels of the right values."""
        for kernel, X, Z in self.cases():
            K, k = kernel(X, Z), kernel.diag(X)
            for made, matrix, diagonal in (
                (kernel + kernel, 2 * K, 2 * k),
                (kernel * kernel, K * K, k * k),
                (2.5 * kernel, 2.5 * K, 2.5 * k),
            ):
                np.testing.assert_allclose(made(X, Z), matrix, rtol=1e-12, atol=1e-14)
                np.testing.assert_allclose(made.diag(X), diagonal, rtol=1e-12, atol=1e-14)
