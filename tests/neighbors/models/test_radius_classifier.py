"""Classification by all rows within a radius (neighbors.01)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.neighbors import RadiusNeighborsClassifier as Reference

from margin.neighbors import RadiusNeighborsClassifier

RNG = np.random.default_rng(0)
X = RNG.normal(size=(150, 3))
Y = np.digitize(X[:, 0] + 0.5 * RNG.normal(size=150), [-0.5, 0.5])


def decaying(lists):
    weights = np.empty(len(lists), dtype=object)
    for i, one in enumerate(lists):
        weights[i] = np.exp(-one)
    return weights


@pytest.mark.parametrize("weights", ["uniform", "distance", decaying])
def test_against_scikit_learn(weights):
    models = [
        m(0.8, weights=weights, outlier_label=2).fit(X[::2], Y[::2])
        for m in (RadiusNeighborsClassifier, Reference)
    ]
    assert_array_equal(models[0].predict(X), models[1].predict(X))
    assert_allclose(models[0].predict_proba(X), models[1].predict_proba(X), rtol=1e-12)
    assert models[0].score(X, Y) == models[1].score(X, Y)


def test_outliers():
    model = RadiusNeighborsClassifier(1.0).fit([[0.0], [1.0], [1.1]], [3, 5, 5])
    with pytest.raises(ValueError, match=r"No neighbors found for test samples \[1\]"):
        model.predict([[0.0], [50.0]])
    model.set_params(outlier_label="most_frequent").fit([[0.0], [1.0], [1.1]], [3, 5, 5])
    assert model.outlier_label_ == 5
    assert_array_equal(model.predict_proba([[50.0]]), [[0.0, 1.0]])
    model.set_params(outlier_label=-1).fit([[0.0], [1.0], [1.1]], [3, 5, 5])
    with pytest.warns(UserWarning, match="Outlier label -1"):
        assert model.predict([[50.0]]) == -1
    with pytest.warns(UserWarning, match="Outlier label -1 is not in training classes"):
        assert_array_equal(model.predict_proba([[50.0]]), [[0.0, 0.0]])


def test_several_targets():
    both = np.column_stack([Y, Y == 1])
    models = [
        m(1.0, outlier_label=[0, 0]).fit(X, both) for m in (RadiusNeighborsClassifier, Reference)
    ]
    Q = np.vstack([X, [[100.0] * 3]])
    assert_array_equal(models[0].predict(Q), models[1].predict(Q))
