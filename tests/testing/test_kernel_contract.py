from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from margin.testing import KernelContract


@dataclass(frozen=True)
class Sum:
    left: object
    right: object

    def __call__(self, X, Z=None):
        return self.left(X, Z) + self.right(X, Z)

    def diag(self, X):
        return self.left.diag(X) + self.right.diag(X)


@dataclass(frozen=True)
class Product:
    left: object
    right: object

    def __call__(self, X, Z=None):
        return self.left(X, Z) * self.right(X, Z)

    def diag(self, X):
        return self.left.diag(X) * self.right.diag(X)


@dataclass(frozen=True)
class Multiple:
    factor: float
    kernel: object

    def __call__(self, X, Z=None):
        return self.factor * self.kernel(X, Z)

    def diag(self, X):
        return self.factor * self.kernel.diag(X)


class Algebra:
    def __add__(self, other):
        return Sum(self, other)

    def __mul__(self, other):
        return Product(self, other)

    def __rmul__(self, factor):
        return Multiple(factor, self)


@dataclass(frozen=True)
class Gaussian(Algebra):
    """variance * exp(-|x - z|^2 / 2 length^2)."""

    length: float = 1.0
    variance: float = 1.0

    def _squares(self, X, Z):
        return ((X[:, None, :] - Z[None, :, :]) ** 2).sum(axis=2)

    def __call__(self, X, Z=None):
        return self.variance * np.exp(
            -0.5 * self._squares(X, X if Z is None else Z) / self.length**2
        )

    def diag(self, X):
        return np.full(len(X), self.variance)

    @property
    def theta(self):
        return np.log([self.length, self.variance])

    def with_theta(self, theta):
        return replace(self, length=float(np.exp(theta[0])), variance=float(np.exp(theta[1])))

    def gradient(self, X):
        K = self(X)
        return np.stack([K * self._squares(X, X) / self.length**2, K])


@dataclass(frozen=True)
class SharedLetters(Algebra):
    """Number of letters two strings have in common, counted with multiplicity."""

    def _counts(self, words):
        letters = "abc"
        return np.array([[w.count(c) for c in letters] for w in words], dtype=float)

    def __call__(self, X, Z=None):
        return self._counts(X) @ self._counts(X if Z is None else Z).T

    def diag(self, X):
        return (self._counts(X) ** 2).sum(axis=1)

    @property
    def theta(self):
        return np.empty(0)

    def with_theta(self, theta):
        return self

    def gradient(self, X):
        return np.empty((0, len(X), len(X)))


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


def indefinite(self, X, Z=None):
    return np.sqrt(self._squares(X, X if Z is None else Z))


FAULTS = {
    "test_symmetric": {"__call__": lambda self, X, Z=None: np.exp(X @ (X if Z is None else Z).T)
                       + np.arange(len(X))[:, None]},
    "test_diagonal": {"diag": lambda self, X: np.full(len(X), 2.0)},
    "test_positive_semidefinite": {"__call__": indefinite},
    "test_cauchy_schwarz": {"diag": lambda self, X: np.full(len(X), 0.01)},
    "test_blocks_agree": {
        "__call__": lambda self, X, Z=None: Gaussian()(X, Z) * (1 if Z is None else 2)
    },
    "test_theta_round_trip": {"with_theta": lambda self, theta: Gaussian(2.0)},
    "test_gradient_is_the_derivative": {"gradient": lambda self, X: Gaussian().gradient(X)[::-1]},
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
    with pytest.raises(NotImplementedError):
        KernelContract().test_symmetric()
