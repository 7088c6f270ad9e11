"""Singular vectors from products against a decomposition in full."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.decomposition.linear._tall_table import tall_spectrum

RNG = np.random.default_rng(0)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("shift", [0.0, 30.0])
def test_against_svd(dtype, weighted, shift):
    X = (RNG.normal(size=(200, 6)) * [5, 4, 3, 2, 1, 0.5] + shift).astype(dtype)
    weight = RNG.random(200) if weighted else None
    w = np.ones(200) if weight is None else weight
    tall = tall_spectrum(X, weight, 3)
    _, values, axes = np.linalg.svd(np.sqrt(w)[:, None] * X.astype(float), full_matrices=False)
    assert_allclose(np.sqrt(tall.spectrum.squares), values[:3])
    assert_allclose(np.abs(tall.spectrum.axes), np.abs(axes[:3]), atol=1e-7)
    assert_allclose(tall.spectrum.total, (values**2).sum())
    codes = X.astype(float) @ tall.spectrum.axes.T
    mean = np.average(codes, axis=0, weights=w)
    assert_allclose(tall.variances, np.average((codes - mean) ** 2, axis=0, weights=w), rtol=1e-7)
    mean = np.average(X.astype(float), axis=0, weights=w)
    assert_allclose(tall.whole, np.average((X - mean) ** 2, axis=0, weights=w).sum(), rtol=1e-6)


def test_values_that_squares_would_lose_are_left_to_others():
    X = RNG.normal(size=(50, 3)) * [1.0, 1.0, 1e-9]
    assert tall_spectrum(X, None, 3) is None
    assert tall_spectrum(X, None, 2) is not None
    assert tall_spectrum(np.zeros((5, 2)), None, 1) is None
    assert tall_spectrum(np.full((5, 2), 1e200), None, 1) is None
