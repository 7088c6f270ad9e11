"""What every kernel must satisfy."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

import numpy as np

from margin.testing.contracts._values import assert_is_value


class KernelContract(ABC):
    r"""Base class of the tests of a kernel: subclass it and give :meth:`make`.

    A kernel is a value with ``kernel(X, Z=None)`` (matrix of shape ``(n, m)``), ``diag(X)``,
    ``theta`` (vector of logarithms of its hyper-parameters), ``with_theta(theta)`` (the same
    kernel at other hyper-parameters), ``gradient(X)`` (array of shape ``(len(theta), n, n)``,
    :math:`\partial K / \partial \theta_j`), ``gradient_product(X, W)`` (their sums weighted by
    ``W``), ``theta_names``, ``bounds`` and the algebra ``k1 + k2``, ``k1 * k2``, ``c * k``.

    Attributes
    ----------
    n : int
        Objects drawn.
    stationary : bool
        Whether the kernel of an object with itself is the same for all objects.
    definite : bool
        Whether its matrices are positive semi-definite for the objects drawn.
    keeps_precision : bool
        Whether float32 tables give float32 matrices.
    """

    n = 12
    stationary = False
    definite = True
    keeps_precision = True

    @abstractmethod
    def make(self) -> Iterable[Any]:
        """Kernels to test, a few hyper-parameters each."""

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
            if not self.definite:
                assert kernel.definite != "positive", f"{kernel} claims to be definite"
                continue
            for objects in (X, self.join(X, X)):
                values = np.linalg.eigvalsh(kernel(objects))
                lowest = float(values[0])
                assert lowest >= -1e-10 * max(1.0, float(values[-1])), (
                    f"{kernel} has the eigenvalue {lowest}"
                )

    def test_cauchy_schwarz(self) -> None:
        """No entry exceeds the geometric mean of its diagonal entries."""
        for kernel, X, Z in self.cases() if self.definite else ():
            bound = np.sqrt(np.outer(kernel.diag(X), kernel.diag(Z)))
            assert (np.abs(kernel(X, Z)) <= bound * (1 + 1e-10) + 1e-12).all(), f"{kernel}"

    def test_theta_round_trip(self) -> None:
        """Rebuilding a kernel from its own hyper-parameters changes nothing."""
        for kernel, X, _ in self.cases():
            theta = kernel.theta
            assert theta.shape == (kernel.n_theta,)
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

    def test_gradient_product_is_the_weighted_sum(self) -> None:
        """Also for weights that are not symmetric."""
        for kernel, X, _ in self.cases():
            weight = np.random.default_rng(1).normal(size=(self.n, self.n))
            given = kernel.gradient_product(X, weight)
            wanted = np.einsum("pij,ij->p", kernel.gradient(X), weight)
            np.testing.assert_allclose(given, wanted, rtol=1e-9, atol=1e-10, err_msg=f"{kernel}")

    def test_pairs_are_entries_of_the_matrix(self) -> None:
        """Values and derivatives pair by pair; beyond its supports the kernel is zero."""
        for kernel, X, Z in self.cases():
            if not kernel.by_pairs:
                assert kernel.supports == ()
                continue
            X, Z = np.asarray(X), np.asarray(Z)
            i, j = (index.ravel() for index in np.indices((len(X), len(Z))))
            values = kernel.at_pairs(X, Z, i, j)
            np.testing.assert_allclose(values, kernel(X, Z).ravel(), rtol=1e-9, atol=1e-12)
            i, j = (index.ravel() for index in np.indices((len(X), len(X))))
            mine = [np.zeros(len(i)), *kernel.pair_derivatives(X, i, j)]
            dense = [np.zeros(len(i)), *(matrix.ravel() for matrix in kernel.derivatives(X))]
            np.testing.assert_allclose(mine, dense, rtol=1e-7, atol=1e-10)
            if kernel.supports:
                near = np.zeros((len(X), len(Z)), dtype=bool)
                for support in kernel.supports:
                    near[support.near(X, Z)] = True
                assert not kernel(X, Z)[~near].any()

    def test_hyper_parameters_have_names_and_bounds(self) -> None:
        """One name and one pair of bounds each; the present value lies between them."""
        for kernel in self.make():
            theta, bounds = kernel.theta, kernel.bounds
            assert len(set(kernel.theta_names)) == len(theta)
            assert bounds.shape == (len(theta), 2)
            assert (bounds[:, 0] <= theta).all(), f"{kernel} is below its bounds"
            assert (theta <= bounds[:, 1]).all(), f"{kernel} is above its bounds"

    def test_precision(self) -> None:
        """float32 tables give float32 matrices, right to single precision."""
        for kernel, X, Z in self.cases() if self.keeps_precision else ():
            if not isinstance(X, np.ndarray) or X.dtype.kind != "f":
                continue
            single = kernel(X.astype(np.float32), Z.astype(np.float32))
            assert single.dtype == np.float32, f"{kernel} gave {single.dtype}"
            assert kernel.diag(X.astype(np.float32)).dtype == np.float32
            full = kernel(X, Z)
            np.testing.assert_allclose(single, full, atol=1e-4 * max(1.0, np.abs(full).max()))

    def test_difference_is_refused(self) -> None:
        """The difference of two kernels need not be one."""
        for kernel in self.make():
            try:
                difference = kernel - kernel
            except TypeError:
                continue
            raise AssertionError(f"{kernel} - {kernel} gave {difference} instead of a refusal")

    def test_algebra(self) -> None:
        """Sums, products and positive multiples of kernels are kernels of the right values."""
        for kernel, X, Z in self.cases():
            K, k = kernel(X, Z), kernel.diag(X)
            for composed, matrix, diagonal in (
                (kernel + kernel, 2 * K, 2 * k),
                (kernel * kernel, K * K, k * k),
                (2.5 * kernel, 2.5 * K, 2.5 * k),
            ):
                np.testing.assert_allclose(composed(X, Z), matrix, rtol=1e-12, atol=1e-14)
                np.testing.assert_allclose(composed.diag(X), diagonal, rtol=1e-12, atol=1e-14)
