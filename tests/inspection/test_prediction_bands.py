"""Means and bands of predictions that are distributions."""

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from margin.ensemble import RandomForestRegressor
from margin.gp import GaussianProcessRegressor
from margin.inspection import prediction_bands
from margin.kernels import RBF, White
from margin.linear import BayesianLinearRegression, Ridge

mpl.use("Agg")


@pytest.fixture
def process():
    rng = np.random.default_rng(0)
    x = rng.uniform(0, 6, size=40)
    y = np.sin(x) + 0.2 * rng.standard_normal(40)
    kernel = RBF(1.0) + White(0.04)
    return GaussianProcessRegressor(kernel=kernel, optimizer=None).fit(x[:, None], y), x, y


def test_bands_are_quantiles_of_the_normal_law(process):
    model, _, _ = process
    grid = np.linspace(0, 6, 50)
    bands = prediction_bands(model, grid[::-1], levels=(0.6826894921370859, 0.95))
    mean, std = model.predict(grid[:, None], return_std=True)
    assert_allclose(bands.at, grid)
    assert_allclose(bands.mean, mean, atol=1e-10)
    # one deviation holds 68.27 % of a normal law, and 1.96 hold 95 %
    half = (bands.high - bands.low) / 2
    assert_allclose(half[0] / half[1], 1.959963984540054, rtol=1e-9)
    assert_allclose(half[1], std, rtol=1e-6)


def test_without_the_noise_bands_are_narrower(process):
    model, _, _ = process
    grid = np.linspace(0, 6, 20)
    new, latent = (prediction_bands(model, grid, latent=flag) for flag in (False, True))
    assert np.all(latent.high - latent.low < new.high - new.low)


def test_a_frame_and_a_feature_by_name():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(60, 2)), columns=["a", "b"])
    model = BayesianLinearRegression().fit(frame, frame["b"] + 0.1 * rng.normal(size=60))
    bands = prediction_bands(model, frame, "b")
    assert bands.name == "b"
    assert_allclose(bands.at, np.sort(frame["b"]))
    assert bands.levels == (0.9, 0.5)


def test_quantile_forest():
    X = np.linspace(0, 1, 200)[:, None]
    forest = RandomForestRegressor(10, min_samples_leaf=5, keep_leaves=True, random_state=0)
    bands = prediction_bands(forest.fit(X, X[:, 0]), X)
    assert np.all(bands.low <= bands.high)


def test_picture(process):
    model, x, y = process
    ax = prediction_bands(model, np.linspace(0, 6, 20), levels=[0.5, 0.9]).plot(x, y)
    shown = [text.get_text() for text in ax.get_legend().get_texts()]
    assert shown == ["90 %", "50 %", "mean", "data"]
    assert len(ax.collections) == 2
    mpl.pyplot.close("all")


@pytest.mark.parametrize("levels", [(), (0.0,), (0.5, 1.0)])
def test_levels_outside(process, levels):
    with pytest.raises(ValueError, match="prediction_bands: levels must be between 0 and 1"):
        prediction_bands(process[0], np.zeros(3), levels=levels)


def test_models_without_a_law_and_half_of_the_data(process):
    with pytest.raises(ValueError, match="model must be an estimator with predict_dist, got"):
        prediction_bands(Ridge().fit([[0.0], [1.0]], [0.0, 1.0]), [0.0])
    with pytest.raises(ValueError, match="x and y must be given together"):
        prediction_bands(process[0], np.zeros(3)).plot(np.zeros(3))
