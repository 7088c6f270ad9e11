"""Steps of leaves against their losses (tree.15)."""

import numpy as np
import pytest

from margin.ensemble import GradientBoostingClassifier, GradientBoostingRegressor
from margin.ensemble.boosting._descent import descending_steps
from margin.losses import Gamma, Poisson


@pytest.mark.parametrize("loss", [Poisson(), Gamma()])
def test_every_leaf_falls_and_good_steps_stay(loss):
    rng = np.random.default_rng(0)
    y, raw = rng.gamma(2.0, size=40), np.repeat([0.0, 6.0, -6.0, 0.5], 10)
    starts = np.array([0, 10, 20, 30, 40])
    slope, bend = loss.slope(raw, y), loss.curvature(raw, y)
    steps = -np.add.reduceat(slope, starts[:-1]) / np.add.reduceat(bend, starts[:-1])
    for rate in (0.1, 1.0):
        found = descending_steps(steps, rate, lambda b: loss.value(raw + b, y), slope, starts)
        after = loss.value(raw + rate * np.repeat(found, 10), y)
        falls = np.add.reduceat(loss.value(raw, y) - after, starts[:-1])
        assert (falls > 0).all()
        np.testing.assert_array_equal(found[[0, 3]], steps[[0, 3]])
    far = np.abs(rate * steps).argmax()
    assert abs(found[far]) < abs(steps[far])


@pytest.mark.parametrize("loss", ["gamma", "poisson"])
@pytest.mark.parametrize("learning_rate", [0.1, 1.0])
def test_counts_never_diverge(loss, learning_rate):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(800, 3))
    y = np.exp(X[:, 0] + X[:, 1] ** 2) * rng.gamma(2.0, 0.5, size=800)
    model = GradientBoostingRegressor(loss=loss, learning_rate=learning_rate).fit(X, y)
    scores = model.train_score_
    assert (np.diff(scores) <= 1e-9 * np.abs(scores[:-1])).all()
    assert scores[-1] < scores[0]
    assert np.isfinite(model.predict(X)).all()
    weighed = GradientBoostingRegressor(loss=loss, learning_rate=learning_rate)
    traces = weighed.fit(X, y, rng.uniform(0.1, 5.0, 800)).train_score_
    assert (np.diff(traces) <= 1e-9 * np.abs(traces[:-1])).all()


@pytest.mark.parametrize("classes", [2, 4])
def test_classes_at_full_steps(classes):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 3))
    y = np.digitize(X[:, 0] + 0.5 * rng.normal(size=300), np.linspace(-1, 1, classes - 1))
    model = GradientBoostingClassifier(learning_rate=1.0, min_samples_leaf=5).fit(X, y)
    assert model.train_score_[-1] < 0.1 * model.train_score_[0]
    assert (np.diff(model.train_score_) <= 1e-6).all()
