"""Exact curvature of the likelihood of factor analysis."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.decomposition.factor._curvature import exact_hessian

RNG = np.random.default_rng(0)
X = RNG.normal(size=(20, 6)) @ RNG.normal(size=(6, 6))
S = np.cov(X.T, bias=True)


def pairs(t):
    root = np.exp(-0.5 * t)
    values, vectors = np.linalg.eigh(S * np.outer(root, root))
    return values[::-1], vectors[:, ::-1]


def value(t, k):
    values, _ = pairs(t)
    return 0.5 * (t.sum() + np.sum(np.log(values[:k]) + 1) + values[k:].sum())


@pytest.mark.parametrize("k", [0, 1, 3])
def test_against_differences(k):
    """decomposition.09: far from the truth, where the approximation is wrong."""
    t = RNG.normal(size=6)
    gradient, hessian = exact_hessian(*pairs(t), k)
    steps = 1e-5 * np.eye(6)
    slopes = [(value(t + h, k) - value(t - h, k)) / 2e-5 for h in steps]
    assert_allclose(gradient, slopes, rtol=1e-6, atol=1e-8)
    rows = [
        (exact_hessian(*pairs(t + h), k)[0] - exact_hessian(*pairs(t - h), k)[0]) / 2e-5
        for h in steps
    ]
    assert_allclose(hessian, rows, rtol=1e-5, atol=1e-6)


def test_the_approximation_is_what_is_left_where_the_model_is_true():
    values = np.array([5.0, 2.0, 1.0, 1.0])
    vectors = np.linalg.qr(RNG.normal(size=(4, 4)))[0]
    gradient, hessian = exact_hessian(values, vectors, 2)
    out = vectors[:, 2:] @ vectors[:, 2:].T
    assert_allclose(gradient, 0.0, atol=1e-15)
    assert_allclose(hessian, 0.5 * out**2, atol=1e-12)
