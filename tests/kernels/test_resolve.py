"""Kernels by name, and functions as kernels."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.svm import SVC

from margin.kernels import RBF, Custom, resolve

X = np.random.default_rng(0).normal(size=(12, 3)) * [1.0, 2.0, 3.0]


@pytest.mark.parametrize("name", ["linear", "poly", "rbf", "sigmoid", "cosine", "laplacian"])
def test_names_mean_what_they_mean_in_scikit_learn(name):
    options = {
        "poly": {"gamma": 0.3, "degree": 2, "coef0": 0.5},
        "rbf": {"gamma": 0.3},
        "sigmoid": {"gamma": 0.3, "coef0": 0.5},
        "laplacian": {"gamma": 0.3},
    }.get(name, {})
    wanted = pairwise_kernels(X, metric=name, **options)
    assert_allclose(resolve(name, **options, X=X)(X), wanted, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("gamma", ["scale", "auto"])
def test_gamma_by_name(gamma):
    model = SVC(kernel="rbf", gamma=gamma).fit(X, np.arange(12) % 2)
    assert_allclose(resolve("rbf", gamma=gamma, X=X).length_scale, (0.5 / model._gamma) ** 0.5)
    table = sparse.csr_array(X)
    assert_allclose(resolve("rbf", gamma=gamma, X=table).length_scale, (0.5 / model._gamma) ** 0.5)


def test_constant_tables_have_a_gamma():
    assert resolve("rbf", gamma="scale", X=np.ones((3, 2))) == RBF.from_gamma(1.0)


def test_kernels_functions_and_precomputed():
    kernel = RBF(2.0)
    assert resolve(kernel) is kernel
    assert resolve("precomputed") is None

    def product(a, b):
        return a @ b.T

    custom = resolve(product)
    assert custom == Custom(product)
    assert_allclose(custom(X), X @ X.T)
    assert_allclose(custom(X, X[:2]), X @ X[:2].T)
    assert_allclose(custom.diag(X), (X**2).sum(axis=1))
    assert (2.0 * custom + RBF())(X).shape == (12, 12)


def test_what_a_function_returns_is_not_written_to():
    stored = np.eye(12)
    scaled = 3.0 * Custom(lambda a, b: stored)
    assert_allclose(scaled(X, X), 3.0 * np.eye(12))
    assert_allclose(stored, np.eye(12))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"kernel": "gauss"}, "kernel must be one of"),
        ({"kernel": 3}, "kernel must be one of"),
        ({"kernel": "rbf", "gamma": -1.0}, "gamma must be a number above 0"),
        ({"kernel": "rbf", "gamma": "wide"}, "gamma must be a number above 0"),
        ({"kernel": "rbf", "gamma": "scale"}, "X must be given with gamma='scale'"),
        ({"kernel": "poly", "gamma": 1.0, "degree": 0}, "degree must be"),
    ],
)
def test_refusals(arguments, words):
    with pytest.raises(ValueError, match=words):
        resolve(**arguments)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda a, b: np.ones(3), "giving an array of shape"),
        (lambda a, b: np.full((len(a), len(b)), np.nan), "giving finite numbers"),
        (lambda a, b: np.arange(1.0, len(a) * len(b) + 1).reshape(len(a), -1), "symmetric"),
    ],
)
def test_bad_functions_are_named(function, words):
    with pytest.raises(ValueError, match=f"Custom: function must be {words}"):
        Custom(function)(X)
