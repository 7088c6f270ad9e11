"""Gaussian mixtures as free numbers."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.mixture.finite._gaussian_vector import GaussianVector
from margin.mixture.finite._gaussians import Gaussians

RNG = np.random.default_rng(0)
ROOT = np.tril(RNG.normal(size=(2, 3, 3))) + 2 * np.eye(3)
FULL = ROOT @ np.swapaxes(ROOT, 1, 2)
SPREADS = {"full": FULL, "tied": FULL[0], "diag": np.ones((2, 3)) * 2, "spherical": np.ones(2) * 3}


@pytest.mark.parametrize("kind", SPREADS)
def test_there_and_back(kind):
    at = Gaussians.of(np.array([0.3, 0.7]), RNG.normal(size=(2, 3)), SPREADS[kind], kind)[0]
    form = GaussianVector(2, 3, kind)
    back = form.from_vector(form.to_vector(at))
    for name in ("weights", "means", "covariances", "roots"):
        assert_allclose(getattr(back, name), getattr(at, name), atol=1e-12)
    assert form.from_vector(form.to_vector(at) + 1e200) is None
    wild = form.to_vector(at)
    wild[8:] = 600.0
    assert form.from_vector(wild) is None or kind in ("diag", "spherical")
