"""How predictions change with one or two features."""

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from margin.inspection import feature_dependence
from margin.linear import LinearRegression, LogisticRegression
from margin.svm import LinearSVC

mpl.use("Agg")


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    X[:, 2] = rng.integers(0, 3, size=80)
    return X, X @ [2.0, -1.0, 0.5]


def test_lines_of_a_linear_model(data):
    X, y = data
    model = LinearRegression().fit(X, y)
    seen = feature_dependence(model, X, 0, grid_resolution=7)
    by_hand = []
    for value in seen.grid[0]:
        table = X.copy()
        table[:, 0] = value
        by_hand.append(model.predict(table))
    assert_allclose(seen.individual, np.transpose(by_hand))
    assert_allclose(seen.average, np.mean(by_hand, axis=1))
    low, high = np.quantile(X[:, 0], [0.05, 0.95])
    assert_allclose(seen.grid[0][[0, -1]], [low, high])


def test_two_features_few_values_and_weights(data):
    X, y = data
    weight = np.random.default_rng(1).uniform(size=80)
    seen = feature_dependence(
        LinearRegression().fit(X, y), X, (0, 2), grid_resolution=5, sample_weight=weight
    )
    assert seen.average.shape == (5, 3)
    assert_allclose(seen.grid[1], [0, 1, 2])
    assert_allclose(np.diff(seen.average, axis=1), 0.5)
    assert_allclose(seen.average[0, 0], weight @ seen.individual[:, 0, 0] / weight.sum())
    seen.plot()


def test_frames_and_probabilities(data):
    X, y = data
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    model = LogisticRegression().fit(frame, y > 0)
    seen = feature_dependence(model, frame, "a", grid_resolution=4)
    assert seen.names == ("a",)
    assert ((seen.individual > 0) & (seen.individual < 1)).all()
    assert np.diff(seen.average).min() > 0
    scores = feature_dependence(model, frame, "a", method="decision_function", grid_resolution=4)
    assert_allclose(np.diff(scores.average), model.coef_[0, 0] * np.diff(scores.grid[0]))
    ax = seen.plot(lines=10, centred=True)
    assert len(ax.lines) == 11
    assert ax.lines[0].get_ydata()[0] == 0.0


def test_refusals(data):
    X, y = data
    model = LinearRegression().fit(X, y)
    with pytest.raises(ValueError, match="features must be one or two columns"):
        feature_dependence(model, X, [0, 1, 2])
    with pytest.raises(ValueError, match="method must be one that LinearRegression has"):
        feature_dependence(model, X, 0, method="predict_proba")
    with pytest.raises(ValueError, match="a column with finite values"):
        feature_dependence(model, np.full((5, 3), np.nan), 0)


def test_labels_are_no_numbers():
    X = np.arange(8.0)[:, None]
    model = LinearSVC().fit(X, np.repeat(["a", "b"], 4))
    assert feature_dependence(model, X, 0).individual.shape == (8, 8)
    with pytest.raises(ValueError, match="method must be 'predict_proba' or 'decision_function'"):
        feature_dependence(model, X, 0, method="predict")


def test_values_between_whole_numbers():
    X = np.repeat(np.arange(100), 2)[:, None]
    seen = feature_dependence(LinearRegression().fit(X, X[:, 0]), X, 0, grid_resolution=7)
    np.testing.assert_allclose(seen.average, seen.grid[0])
