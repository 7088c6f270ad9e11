"""The contract of a kernel (kernels.01): parameter vectors, bounds, refusals."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import RBF, Constant, Kernel, Linear, Matern, Periodic, White
from margin.kernels._hyper import positive


def test_a_kernel_must_give_its_matrix_and_diagonal():
    with pytest.raises(TypeError, match="abstract"):
        Kernel()


def test_dual_representation_needs_only_the_kernel():
    """kernels.01: Gram matrix, cross matrix and diagonal of one object agree."""
    X = np.random.default_rng(0).normal(size=(6, 2))
    kernel = 2.0 * RBF(0.7) + 0.5
    K = kernel(X)
    assert_allclose(K[2:3], kernel(X[2:3], X), rtol=1e-14)
    assert_allclose(np.diagonal(K), kernel.diag(X), rtol=1e-14)


@pytest.mark.parametrize(
    "kernel",
    [RBF(0.7), Matern((1.0, 2.0)), 2.0 * RBF(0.7), RBF(0.7) * Matern(1.0), Linear() + White(0.3)],
    ids=str,
)
def test_weighted_sums_of_any_kernel(kernel):
    """One pass or two: the sums of the derivatives and of the matrix itself."""
    rng = np.random.default_rng(1)
    X, weight = rng.normal(size=(9, 2)), rng.normal(size=(9, 9))
    sums, total = kernel.weighted_sums(X, weight)
    assert_allclose(sums, kernel.gradient_product(X, weight), rtol=1e-10)
    assert_allclose(sums, np.einsum("ij,pij->p", weight, kernel.gradient(X)), rtol=1e-9)
    assert_allclose(total, np.sum(weight * kernel(X)), rtol=1e-10)


def test_parameter_vector():
    kernel = Periodic((1.0, 2.0), 4.0)
    assert kernel.theta_names == ("length_scale[0]", "length_scale[1]", "period")
    assert_allclose(kernel.theta, np.log([1.0, 2.0, 4.0]))
    assert_allclose(kernel.bounds, np.log([[1e-5, 1e5]] * 3))
    moved = kernel.with_theta(np.log([3.0, 5.0, 7.0]))
    assert_allclose(moved.length_scale, (3.0, 5.0))
    assert_allclose(moved.period, 7.0)
    assert kernel == Periodic((1.0, 2.0), 4.0)


def test_parameter_vector_of_wrong_length_is_refused():
    with pytest.raises(ValueError, match=r"RBF: theta must be of shape \(1,\), got \(2,\)"):
        RBF(1.0).with_theta([0.0, 0.0])
    with pytest.raises(ValueError, match="Sum: theta must be of shape"):
        (RBF() + White()).with_theta([0.0])


def test_sequences_become_tuples():
    assert RBF(np.array([1, 2])) == RBF((1.0, 2.0)) == RBF([1.0, 2.0])
    assert hash(RBF([1.0, 2.0])) == hash(RBF((1.0, 2.0)))


@pytest.mark.parametrize("bad", [-1.0, "1", None, {}, [[1.0]], [1.0, -1.0], complex(1, 1)])
def test_positive_refuses(bad):
    with pytest.raises(ValueError, match="Owner: name must be"):
        positive("Owner", "name", bad)


def test_differences_are_refused():
    """kernels.19: k1 - k2 is not a kernel."""
    for expression in (lambda: RBF() - RBF(2.0), lambda: 1.0 - RBF(), lambda: RBF() - 1.0):
        with pytest.raises(TypeError, match="RBF: the difference of two kernels is not a kernel"):
            expression()


def test_numpy_numbers_are_numbers():
    assert np.float64(2.0) * RBF() == 2.0 * RBF() == RBF() * np.float64(2.0)
    assert np.float64(2.0) + RBF() == Constant(2.0) + RBF()


def test_forgotten_derivatives_are_named():
    @dataclass(frozen=True)
    class Lazy(Kernel):
        scale: float = 1.0
        hyper: ClassVar = ("scale",)

        def __call__(self, X, Z=None, *, n_threads=None):
            return np.ones((len(X), len(X)))

        def diag(self, X):
            return np.ones(len(X))

    with pytest.raises(TypeError, match="Lazy: derivatives must be given"):
        Lazy().gradient([1])


def test_threads_do_not_change_the_answer():
    X = np.random.default_rng(1).normal(size=(700, 20))
    for kernel in (RBF(3.0), Matern(3.0)):
        assert (kernel(X, n_threads=1) == kernel(X, n_threads=2)).all()


@pytest.mark.parametrize(
    ("kernel", "written"),
    [
        (RBF(1.23456), "RBF(1.23)"),
        (RBF([1.0, 20.0]), "RBF((1, 20))"),
        (2.0 * RBF(1.0) + White(0.01), "2 * RBF(1) + White(0.01)"),
        (3.0 * (RBF(1.0) + Linear()), "3 * (RBF(1) + Linear())"),
        (RBF(1.0) * (Linear() + White(1.0)), "RBF(1) * (Linear() + White(1))"),
        (Matern(2.0, nu=2.5), "Matern(2, nu=2.5)"),
        (Periodic(1.0, 2.0).fix("period"), "Periodic(1, period=2)"),
    ],
)
def test_printed_as_a_formula(kernel, written):
    assert str(kernel) == written
