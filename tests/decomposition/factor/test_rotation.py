"""Rotations of loadings."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.decomposition._factor_analysis import _ortho_rotation

from margin.decomposition import rotate_factors
from margin.decomposition.factor._rotation import METHODS, _criterion

RNG = np.random.default_rng(0)
W = RNG.normal(size=(8, 3))


@pytest.mark.parametrize("method", METHODS)
def test_covariance_is_unchanged(method):
    """decomposition.10: F F' stays."""
    turned = rotate_factors(W, method)
    back = turned.loadings @ turned.correlation @ turned.loadings.T
    assert_allclose(back, W @ W.T, atol=1e-10)
    assert_allclose(turned.loadings, W @ turned.rotation)
    assert_allclose(np.diagonal(turned.correlation), 1)


@pytest.mark.parametrize(("method", "gamma"), [("varimax", 1.0), ("quartimax", 0.0)])
def test_criterion_is_at_a_maximum(method, gamma):
    """decomposition.10: it rises, and no small rotation is better."""
    turned = rotate_factors(W, method, tol=1e-12, max_iter=5000)
    best = _criterion(turned.loadings, gamma)
    assert best > _criterion(W, gamma)
    for i, j in ((0, 1), (0, 2), (1, 2)):
        for angle in (-0.01, 0.01):
            turn = np.eye(3)
            turn[[i, j], [i, j]] = np.cos(angle)
            turn[i, j], turn[j, i] = np.sin(angle), -np.sin(angle)
            assert _criterion(turned.loadings @ turn, gamma) < best


def test_two_factors_by_all_angles():
    """decomposition.10: the best of all rotations of a plane."""
    plane = W[:, :2]
    angles = np.linspace(0, np.pi / 2, 2001)
    turns = [np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]]) for a in angles]
    best = max(_criterion(plane @ turn, 1.0) for turn in turns)
    assert_allclose(_criterion(rotate_factors(plane).loadings, 1.0), best, rtol=1e-5)


@pytest.mark.parametrize("method", ["varimax", "quartimax"])
def test_against_scikit_learn(method):
    theirs = _ortho_rotation(W, method=method, tol=1e-12, max_iter=5000).T
    ours = rotate_factors(W, method, tol=1e-12, max_iter=5000).loadings
    theirs = theirs[:, np.argsort(-np.sum(theirs**2, axis=0))]
    assert_allclose(np.abs(ours), np.abs(theirs), atol=1e-4)


def test_promax_finds_factors_that_correlate():
    """decomposition.10: a simple structure with oblique factors, recovered."""
    simple = np.kron(np.eye(2), np.array([[1.0], [0.8], [0.9]]))
    correlation = np.array([[1.0, 0.5], [0.5, 1.0]])
    turned = rotate_factors(simple @ np.linalg.cholesky(correlation), "promax")
    assert_allclose(abs(turned.correlation[0, 1]), 0.5, atol=0.1)
    small = np.sort(np.abs(turned.loadings), axis=1)[:, 0]
    assert (small < 0.05).all()


def test_the_worst_start_is_left():
    """decomposition.10: halfway between two axes the slope of the criterion vanishes."""
    mixed = np.array([[0.8, 0.8], [0.7, -0.7]])
    assert_allclose(np.sort(np.abs(rotate_factors(mixed).loadings), axis=1)[:, 0], 0, atol=1e-9)


def test_errors_and_one_factor():
    assert_allclose(np.abs(rotate_factors(W[:, :1], "promax").loadings), np.abs(W[:, :1]))
    with pytest.raises(ValueError, match="rotate_factors: method must be one of"):
        rotate_factors(W, "oblimin")
    with pytest.raises(ValueError, match="rotate_factors: loadings must be a finite matrix"):
        rotate_factors(W[0])
    with pytest.raises(ValueError, match="rotate_factors: power must be at least 1"):
        rotate_factors(W, "promax", power=0)


@pytest.mark.parametrize("method", ["varimax", "promax"])
def test_factors_without_loadings_are_left_alone(method):
    """decomposition.10: nothing to rotate, or fewer factors than columns of loadings."""
    nothing = rotate_factors(np.zeros((4, 2)), method)
    assert_allclose(nothing.loadings, 0.0)
    assert_allclose(nothing.correlation, np.eye(2))
    one = np.column_stack([[0.9, 0.8, 0.1], np.zeros(3)])
    turned = rotate_factors(one, method)
    assert_allclose(turned.loadings @ turned.correlation @ turned.loadings.T, one @ one.T)
    assert np.isfinite(turned.rotation).all()
    tiny = rotate_factors(1e-120 * one, method)
    assert_allclose(tiny.loadings * 1e120, turned.loadings, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("method", ["varimax", "quartimax", "promax"])
@pytest.mark.parametrize("unit", [1e-150, 1e-80, 1e80, 1e150])
def test_units_do_not_matter(method, unit):
    """decomposition.10: also where fourth powers of the loadings are no numbers."""
    W = np.random.default_rng(3).normal(size=(8, 3))
    plain, scaled = rotate_factors(W, method), rotate_factors(unit * W, method)
    assert_allclose(scaled.loadings / unit, plain.loadings, atol=1e-6)
