"""Explicit features by one word (kernels.33)."""

import numpy as np
import pytest

from margin.kernels import RBF, Polynomial, approximate

X = np.random.default_rng(0).normal(size=(150, 2))


@pytest.mark.parametrize(
    ("method", "kernel", "error"),
    [
        ("nystroem", RBF(1.0), 0.3),
        ("pivoted", RBF(1.0), 1e-3),
        ("fourier", RBF(1.0), 0.5),
        ("polynomial", Polynomial(3), 1e-9),
    ],
)
def test_every_method_approximates(method, kernel, error):
    features = approximate(kernel, X, 81, method=method, rng=0)(X)
    K = kernel(X)
    assert np.abs(features @ features.T - K).max() < error * np.abs(K).max()


def test_refusals():
    with pytest.raises(ValueError, match="approximate: kernel must be a Polynomial"):
        approximate(RBF(), X, method="polynomial")
    with pytest.raises(ValueError, match="approximate: method must be one of"):
        approximate(RBF(), X, method="magic")
