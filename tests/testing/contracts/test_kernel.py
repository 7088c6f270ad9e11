from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from margin.kernels import Kernel
from margin.testing import KernelContract


@dataclass(frozen=True)
class Gaussian(Kernel):
    """variance * exp(-|x - z|^2 / 2 length^2)."""

    length: float = 1.0
    variance: float = 1.0
    hyper: ClassVar = ("length", "variance")

    def _squares(self, X, Z):
        return ((X[:, None, :] - Z[None, :, :]) ** 2).sum(axis=2)

    def __call__(self, X, Z=None, *, n_threads=None):
        return self.variance * np.exp(
            -0.5 * self._squares(X, X if Z is None else Z) / self.length**2
        )

    def diag(self, X):
        return np.full(len(X), self.variance, dtype=X.dtype)

    def derivatives(self, X):
        K = self(X)
        yield K * self._squares(X, X) / self.length**2
        yield K


@dataclass(frozen=True)
class SharedLetters(Kernel):
    """Number of letters two strings have in common, counted with multiplicity."""

    def _counts(self, words):
        letters = "abc"
        return np.array([[w.count(c) for c in letters] for w in words], dtype=float)

    def __call__(self, X, Z=None, *, n_threads=None):
        return self._counts(X) @ self._counts(X if Z is None else Z).T

    def diag(self, X):
        return (self._counts(X) ** 2).sum(axis=1)


class TestGaussian(KernelContract):
    stationary = True

    def make(self):
        return [Gaussian(), Gaussian(0.3, 4.0)]


class TestSharedLetters(KernelContract):
    """Objects need not be vectors."""

    def make(self):
        return [SharedLetters()]

    def draw(self, rng, n):
        return ["".join(rng.choice(list("abc"), size=rng.integers(1, 8))) for _ in range(n)]


def broken(**members):
    return dataclass(frozen=True)(type("Broken", (Gaussian,), members))()


def indefinite(self, X, Z=None, n_threads=None):
    return np.sqrt(self._squares(X, X if Z is None else Z))


def lopsided(self, X, Z=None, n_threads=None):
    return np.exp(X @ (X if Z is None else Z).T) + np.arange(len(X))[:, None]


FAULTS = {
    "test_symmetric": {"__call__": lopsided},
    "test_diagonal": {"diag": lambda self, X: np.full(len(X), 2.0)},
    "test_positive_semidefinite": {"__call__": indefinite},
    "test_cauchy_schwarz": {"diag": lambda self, X: np.full(len(X), 0.01)},
    "test_blocks_agree": {
        "__call__": lambda self, X, Z=None, n_threads=None: Gaussian()(X, Z) * (1 + (Z is not None))
    },
    "test_theta_round_trip": {"with_theta": lambda self, theta: Gaussian(2.0)},
    "test_gradient_is_the_derivative": {"gradient": lambda self, X: Gaussian().gradient(X)[::-1]},
    "test_gradient_product_is_the_weighted_sum": {
        "gradient_product": lambda self, X, weight: np.array([1.0, 2.0])
    },
    "test_hyper_parameters_have_names_and_bounds": {
        "bounds": property(lambda self: np.ones((2, 2)))
    },
    "test_precision": {
        "__call__": lambda self, X, Z=None, n_threads=None: Gaussian()(X, Z).astype(np.float64)
    },
    "test_difference_is_refused": {"__sub__": lambda self, other: self},
    "test_algebra": {"__add__": lambda self, other: self},
    "test_is_an_immutable_value": {"__eq__": lambda self, other: False, "__hash__": None},
}  # fmt: skip


@pytest.mark.parametrize("test", FAULTS)
def test_a_fault_is_found_by_its_test(test):
    class Faulty(KernelContract):
        def make(self):
            return [broken(**FAULTS[test])]

    with pytest.raises(AssertionError):
        getattr(Faulty(), test)()


def test_make_must_be_given():
    with pytest.raises(TypeError, match=r"abstract method.* '?make"):
        KernelContract()
