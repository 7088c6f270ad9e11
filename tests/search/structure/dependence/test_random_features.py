"""Random Fourier features, and the polynomials that say the same."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.native.dependence.features import function_combinations
from margin.search.structure.dependence._random_features import condensed, gaussian_features


def table(features):
    """Features of all rows, centred."""
    values = function_combinations(features.functions, features.mix, np.zeros(len(features)))
    return values - values.mean(axis=1, keepdims=True)


def test_inner_products_approach_the_kernel():
    X = np.random.default_rng(0).normal(size=(60, 2))
    D = np.linalg.norm(X[:, None] - X, axis=2)
    K = np.exp(-((D / np.median(D[np.triu_indices(60, 1)])) ** 2) / 2)
    C = np.eye(60) - 1 / 60
    F = table(gaussian_features(X, 3000, np.random.default_rng(1)))
    assert_allclose(F.T @ F, C @ K @ C, atol=0.08)


@pytest.mark.parametrize("kind", ["normal", "uniform", "two values", "far away"])
def test_polynomials_are_the_features(kind):
    rng = np.random.default_rng(2)
    z = {
        "normal": rng.normal(size=700),
        "uniform": rng.uniform(size=700) * 1e-9,
        "two values": rng.integers(0, 2, 700) * 3.0,
        "far away": rng.normal(size=700) + 1e6,
    }[kind]
    cosines = gaussian_features(z[:, None], 80, rng)
    short = condensed(cosines)
    assert len(short) == 80
    assert len(short.functions) == short.functions.n_polynomials < 60
    tolerance = 1e-8 if kind == "far away" else 1e-12
    assert_allclose(table(short), table(cosines), atol=tolerance)


def test_where_fewer_do_not_do():
    rng = np.random.default_rng(3)
    tails = rng.standard_t(1, size=(500, 1)) ** 3
    for X in (tails, rng.normal(size=(500, 2)), np.ones((500, 1)), rng.normal(size=(500, 0))):
        features = gaussian_features(X, 80, rng)
        assert condensed(features) is features
