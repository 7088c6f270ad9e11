"""Parameters of a Gaussian mixture as one value."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import FitError
from margin.mixture.finite._gaussians import Gaussians

RNG = np.random.default_rng(0)
ROOT = np.tril(RNG.normal(size=(2, 3, 3))) + 2 * np.eye(3)
FULL = ROOT @ np.swapaxes(ROOT, 1, 2)
SPREADS = {
    "full": FULL,
    "tied": FULL[0],
    "diag": FULL[:, 0] ** 2 + 1,
    "spherical": np.array([2.0, 3]),
}


def mixture(kind):
    return Gaussians.of(np.array([0.4, 0.6]), RNG.normal(size=(2, 3)), SPREADS[kind], kind)[0]


@pytest.mark.parametrize("kind", SPREADS)
def test_factors_precisions_and_traces(kind):
    at = mixture(kind)
    inverse = np.linalg.inv(at.matrices)
    assert_allclose(at.traces, np.trace(inverse, axis1=1, axis2=2))
    precision = at.precisions
    if kind in ("full", "tied"):
        assert_allclose(np.broadcast_to(precision, (2, 3, 3)), inverse)
        upper = at.precisions_cholesky
        assert_allclose(upper @ np.swapaxes(upper, -1, -2), precision)
    else:
        assert_allclose(precision, 1 / SPREADS[kind])


@pytest.mark.parametrize("kind", SPREADS)
def test_parts_are_marginals(kind):
    at = mixture(kind)
    roots, heights = at.part(np.array([0, 2]))
    block = at.matrices[:, [[0], [2]], [0, 2]]
    assert_allclose(np.swapaxes(roots, 1, 2) @ roots, np.linalg.inv(block))
    assert_allclose(heights, -0.5 * np.linalg.slogdet(2 * np.pi * block)[1])


@pytest.mark.parametrize(
    ("kind", "number"), [("full", 19), ("tied", 13), ("diag", 13), ("spherical", 9)]
)
def test_number_of_parameters(kind, number):
    """mixture.03."""
    assert mixture(kind).n_parameters == number


def test_singular_covariances_are_refused_or_mended():
    """mixture.03."""
    flat = np.ones((1, 2, 2))
    with pytest.raises(FitError, match="collapsed"):
        Gaussians.of(np.ones(1), np.zeros((1, 2)), flat, "full")
    mended, repairs = Gaussians.of(np.ones(1), np.zeros((1, 2)), flat, "full", max_jitter=1e-6)
    assert "component 0: added" in repairs[0]
    assert_allclose(mended.covariances, flat, atol=1e-9)
    with pytest.raises(FitError, match="collapsed"):
        Gaussians.of(np.ones(1), np.zeros((1, 2)), np.zeros((1, 2)), "diag")


@pytest.mark.parametrize("kind", SPREADS)
def test_as_a_distribution(kind):
    """mixture.01."""
    at = mixture(kind)
    assert_allclose(at.distribution().mean, at.weights @ at.means)
