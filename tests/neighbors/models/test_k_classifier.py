"""Classification by the nearest few (neighbors.01)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.metrics import pairwise_distances
from sklearn.neighbors import KNeighborsClassifier as Reference

from margin.neighbors import KNeighborsClassifier

RNG = np.random.default_rng(0)
X = RNG.normal(size=(150, 4))
Y = np.digitize(X[:, 0] + 0.5 * RNG.normal(size=150), [-0.5, 0.5])


def test_the_nearest_row_decides_when_alone():
    """neighbors.01: one neighbour, by all distances written out."""
    train, test = X[::2], X[1::2]
    nearest = pairwise_distances(test, train).argmin(axis=1)
    model = KNeighborsClassifier(1).fit(train, Y[::2])
    assert_array_equal(model.predict(test), Y[::2][nearest])


@pytest.mark.parametrize("weights", ["uniform", "distance", None, lambda d: np.exp(-d)])
@pytest.mark.parametrize("k", [1, 4, 40])
def test_against_scikit_learn(weights, k):
    ours = KNeighborsClassifier(k, weights=weights).fit(X[::2], Y[::2])
    # A tree of theirs: their products with all rows leave a row 1e-8 away from itself.
    theirs = Reference(k, weights=weights, algorithm="kd_tree").fit(X[::2], Y[::2])
    assert_array_equal(ours.predict(X), theirs.predict(X))
    assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-12)
    assert ours.score(X, Y) == theirs.score(X, Y)


def test_equal_votes_go_to_the_first_class():
    model = KNeighborsClassifier(2).fit([[0.0], [1.0]], ["b", "a"])
    assert model.predict([[0.1]]) == "a"


def test_several_targets():
    both = np.column_stack([Y, Y == 1])
    ours, theirs = KNeighborsClassifier().fit(X, both), Reference().fit(X, both)
    assert_array_equal(ours.predict(X), theirs.predict(X))
    for a, b in zip(ours.predict_proba(X), theirs.predict_proba(X), strict=True):
        assert_allclose(a, b)
    assert ours.outputs_2d_


def test_rows_predicted_from_the_others():
    """Leave-one-out without a loop."""
    model = KNeighborsClassifier(3).fit(X, Y)
    one = [
        KNeighborsClassifier(3).fit(np.delete(X, i, 0), np.delete(Y, i)).predict(X[i : i + 1])[0]
        for i in range(0, 150, 10)
    ]
    assert_array_equal(model.predict(None)[::10], one)


def test_refusals():
    with pytest.raises(ValueError, match="zero weights"):
        KNeighborsClassifier(weights=np.zeros_like).fit(X, Y).predict(X)
    with pytest.raises(ValueError, match="n_neighbors < n_samples_fit"):
        KNeighborsClassifier(5).fit(X[:5], Y[:5]).predict(None)
    with pytest.raises(ValueError, match="n_neighbors must be at most n_samples = 5"):
        KNeighborsClassifier(9).fit(X[:5], Y[:5])
    with pytest.raises(ValueError, match="weights must be"):
        KNeighborsClassifier(weights="other").fit(X, Y)
