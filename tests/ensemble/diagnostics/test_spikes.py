"""What a single wrong label does to a classifier (tree.18)."""

import numpy as np
import pytest

from margin.ensemble import AdaBoostClassifier, spikes
from margin.linear import LogisticRegression
from margin.tree import DecisionTreeClassifier


def data(rng, n=120):
    X = rng.uniform(-1, 1, size=(n, 2))
    y = X[:, 0] + X[:, 1] > 0
    noise = rng.random(n) < 0.1
    return X, np.where(noise, ~y, y)


def test_boosted_trees_are_spiky_and_smooth_models_are_not():
    """tree.18: full trees follow a wrong label in a small place, a line does not follow."""
    X, y = data(np.random.default_rng(0))
    trees = AdaBoostClassifier(DecisionTreeClassifier(max_depth=6), n_estimators=60, random_state=0)
    spiky = spikes(trees, X, y, n_flips=8, random_state=0)
    smooth = spikes(LogisticRegression(), X, y, n_flips=8, random_state=0)
    assert spiky.interpolated == 1.0
    assert spiky.followed == 1.0
    assert spiky.volume < 0.25
    assert smooth.interpolated < 1.0
    assert smooth.followed < 0.5
    assert spiky.spikiness > 0.75 > smooth.spikiness


def test_ranking_of_base_classifiers():
    """tree.18: error of vertical stumps, stumps and full trees on new rows: high, medium, low."""
    rng = np.random.default_rng(2)
    X, y = data(rng, 300)
    new = rng.uniform(-1, 1, size=(2000, 2))
    truth = new[:, 0] + new[:, 1] > 0
    vertical = AdaBoostClassifier(n_estimators=100, random_state=0).fit(X[:, :1], y)
    stumps = AdaBoostClassifier(n_estimators=100, random_state=0).fit(X, y)
    trees = AdaBoostClassifier(
        DecisionTreeClassifier(max_depth=8), n_estimators=100, random_state=0
    ).fit(X, y)
    errors = [
        1 - vertical.score(new[:, :1], truth),
        1 - stumps.score(new, truth),
        1 - trees.score(new, truth),
    ]
    assert errors[0] > errors[1] > 0.02
    assert errors[0] > errors[2]


def test_refusals():
    with pytest.raises(ValueError, match="n_flips must be between 1 and 4, got 9"):
        spikes(LogisticRegression(), np.zeros((4, 1)), [0, 1, 0, 1], n_flips=9)
