"""Predictions in the units of the targets."""

import numpy as np
import pytest

from margin.gp import GaussianProcessRegressor
from margin.gp.regression._prediction import draws
from margin.gp.regression._prior import Prior
from margin.kernels import RBF, White

X = np.array([[0.0], [1.0], [2.5]])
Y = np.array([1.0, -1.0, 0.5])
KERNEL = 1.0 * RBF(1.0) + White(0.2)


def model(**changes):
    return GaussianProcessRegressor(kernel=KERNEL, optimizer=None, **changes).fit(X, Y)


def test_noise_is_in_or_out():
    new = np.array([[0.3], [9.0]])
    predictor = model()._predictor
    seen, hidden = predictor.moments(new, "var"), predictor.moments(new, "var", latent=True)
    np.testing.assert_allclose(seen.var - hidden.var, 0.2)
    np.testing.assert_allclose(hidden.var[1], 1.0, rtol=1e-6)
    joint = predictor.moments(new, "cov", latent=True).cov[:, :, 0]
    np.testing.assert_allclose(np.diagonal(joint), hidden.var[:, 0])


def test_scaling_of_targets_scales_the_answer():
    new = np.array([[0.3], [1.7]])
    plain = GaussianProcessRegressor(kernel=KERNEL, optimizer=None).fit(X, (Y - Y.mean()) / Y.std())
    scaled = model(normalize_y=True)
    one, two = plain._predictor.moments(new, "var"), scaled._predictor.moments(new, "var")
    np.testing.assert_allclose(two.mean, one.mean * Y.std() + Y.mean())
    np.testing.assert_allclose(two.var, one.var * Y.var())


def test_blocks_do_not_matter(monkeypatch):
    new = np.linspace(-1, 4, 11)[:, None]
    whole = model()._predictor.moments(new, "var")
    monkeypatch.setattr("margin.gp.regression._prediction._BLOCK", 6)
    pieces = model()._predictor.moments(new, "var")
    np.testing.assert_allclose(pieces.mean, whole.mean, rtol=1e-12)
    np.testing.assert_allclose(pieces.var, whole.var, rtol=1e-12)


def test_means_come_in_blocks_of_their_own(monkeypatch):
    new = np.linspace(-1, 4, 11)[:, None]
    whole = model()._predictor.moments(new, "var").mean
    for entries, fewest in ((6, 1), (1, 3), (1 << 17, 128)):
        monkeypatch.setattr("margin.gp.regression._prediction._NEAR", entries)
        monkeypatch.setattr("margin.gp.regression._prediction._FEWEST", fewest)
        alone = model()._predictor.moments(new)
        assert alone.var is None
        np.testing.assert_allclose(alone.mean, whole, rtol=1e-12)


def test_draws_have_the_moments():
    cov = np.array([[1.0, 0.9], [0.9, 1.0]])
    paths = draws(np.array([1.0, 2.0]), cov, 20_000, np.random.default_rng(0))
    np.testing.assert_allclose(paths.mean(axis=1), [1.0, 2.0], atol=0.03)
    np.testing.assert_allclose(np.cov(paths), cov, atol=0.03)


def test_rougher_priors_cross_zero_more_often():
    """gp.01: sample paths before any data; shorter length scales are rougher."""
    grid = np.linspace(0, 10, 200)[:, None]
    crossings = []
    for scale in (3.0, 1.0, 0.3):
        prior = Prior("GP", RBF(scale), None, None)
        paths = prior.sample(grid, 40, np.random.default_rng(0))[..., 0]
        crossings.append(np.mean(np.sum(np.diff(np.sign(paths), axis=0) != 0, axis=0)))
        # Rice's formula for a stationary process with a smooth kernel.
        assert crossings[-1] == pytest.approx(10 / (np.pi * scale), rel=0.2)
    assert crossings == sorted(crossings)


def test_marginals_of_the_prior_are_consistent():
    """gp.01: the law at some points is the marginal of the law at more points."""
    grid = np.linspace(0, 3, 7)[:, None]
    prior = Prior("GP", 2.0 * RBF(1.0), lambda X: X[:, 0], None)
    few = prior.sample(grid[::3], 20_000, np.random.default_rng(0))[..., 0]
    many = prior.sample(grid, 20_000, np.random.default_rng(1))[::3, :, 0]
    np.testing.assert_allclose(few.mean(axis=1), grid[::3, 0], atol=0.06)
    np.testing.assert_allclose(many.mean(axis=1), grid[::3, 0], atol=0.06)
    np.testing.assert_allclose(np.cov(few), np.cov(many), atol=0.1)
    np.testing.assert_allclose(np.cov(few), 2.0 * RBF(1.0)(grid[::3]), atol=0.1)


@pytest.mark.parametrize("targets", [1, 2])
def test_shapes_of_one_and_of_several_targets(targets):
    y = np.column_stack([Y, -Y])[:, :targets]
    predictor = GaussianProcessRegressor(kernel=KERNEL, optimizer=None).fit(X, y)._predictor
    assert predictor.single == (targets == 1)
    assert predictor.sample(X[:2], 5, np.random.default_rng(0)).shape == (2, 5, targets)
    # One target in a column is squeezed, as scikit-learn does.
    assert predictor.held_out().mean.shape == ((3,) if targets == 1 else (3, targets))
    assert model()._predictor.shaped(np.zeros((2, 1))).shape == (2,)
