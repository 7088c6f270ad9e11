"""Random Fourier features (kernels.33)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import (
    RBF,
    GammaExponential,
    Laplacian,
    Linear,
    Matern,
    RationalQuadratic,
    fourier_features,
)

X = np.random.default_rng(0).uniform(-1.5, 1.5, size=(25, 2))
KERNELS = [
    RBF((0.7, 1.5)),
    Matern((0.7, 1.5), nu=0.5),
    Matern(1.2, nu=2.5),
    Matern(1.2, nu=np.inf),
    RationalQuadratic((0.7, 1.5), 0.8),
    GammaExponential(1.3, 0.8),
    GammaExponential((0.7, 1.5), 1.6),
    GammaExponential(1.3, 2.0),
    Laplacian((0.7, 1.5)),
    2.5 * RBF(1.0) * Matern(2.0),
    2.0 * RBF(0.5) + 0.5 * Matern(2.0),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
def test_scalar_products_approach_the_kernel(kernel):
    """kernels.33: the error falls as one over the root of the number of features."""
    errors = []
    for n in (200, 20000):
        features = fourier_features(kernel, n, n_columns=2, rng=1)
        phi = features(X)
        assert phi.shape == (25, features.n_features)
        errors.append(np.sqrt(np.mean((phi @ phi.T - kernel(X)) ** 2)))
    scale = float(kernel.diag(X).max())
    assert errors[1] < 0.015 * scale
    assert errors[1] < 0.35 * errors[0]


def test_the_diagonal_is_exact_and_the_seed_decides():
    features = fourier_features(3.0 * RBF(1.0), 50, n_columns=2, rng=4)
    assert_allclose((features(X) ** 2).sum(axis=1), 3.0, rtol=1e-12)
    again = fourier_features(3.0 * RBF(1.0), 50, n_columns=2, rng=4)
    assert (features(X) == again(X)).all()
    assert features(X.astype(np.float32)).dtype == np.float32


def test_refusals():
    with pytest.raises(ValueError, match="fourier_features: kernel must be a stationary kernel"):
        fourier_features(Linear(), 10, n_columns=2)
    for n in (0, 3, 2.0):
        with pytest.raises(ValueError, match="fourier_features: n must be an even number"):
            fourier_features(RBF(), n, n_columns=2)
    with pytest.raises(ValueError, match="FourierFeatures: X must be of 2 columns, got 1"):
        fourier_features(RBF(), 4, n_columns=2, rng=0)([[1.0]])
