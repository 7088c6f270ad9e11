"""A Bayesian network as a classifier."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score

from margin.graphical import BayesianNetworkClassifier


def table(n=200, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    X = np.stack([(y + rng.integers(0, 2, n)) % 3, rng.integers(0, 4, n), y // 2], axis=1)
    return X.astype(float), y


ARROWS = [("class", 0), (0, 1), ("class", 2), (1, 2)]


@pytest.mark.parametrize("structure", ["naive", "tan", ARROWS])
def test_posterior_is_that_of_the_network(structure):
    X, y = table()
    X[::7, 1] = np.nan
    model = BayesianNetworkClassifier(structure=structure).fit(X, y)
    found = model.predict_proba(X[:20])
    codes = model.bins_.codes(X[:20])
    for row, values in zip(codes, found, strict=True):
        known = {j: int(c) for j, c in enumerate(row) if c >= 0}
        assert_allclose(values, model.network_.query("class", known).values, rtol=1e-10)


def test_naive_structure_is_naive_bayes():
    X, y = table()
    model = BayesianNetworkClassifier(structure="naive", equivalent_sample_size=6.0).fit(X, y)
    expected = np.tile((np.bincount(y) + 2.0) / (len(y) + 6), (len(X), 1))
    for j in range(3):
        states = np.unique(X[:, j])
        for c in range(3):
            rows = X[y == c, j]
            share = [(np.sum(rows == s) + 2 / len(states)) / (len(rows) + 2) for s in states]
            expected[:, c] *= np.array(share)[np.searchsorted(states, X[:, j])]
    expected /= expected.sum(axis=1, keepdims=True)
    assert_allclose(model.predict_proba(X), expected, rtol=1e-10)


def test_tree_finds_a_dependence_that_naive_bayes_misses():
    rng = np.random.default_rng(0)
    a, b = rng.integers(0, 2, (2, 600))
    y = np.where(rng.random(600) < 0.9, a ^ b, 1 - (a ^ b))
    X = np.stack([a, b], axis=1).astype(float)
    assert cross_val_score(BayesianNetworkClassifier(structure="naive"), X, y).mean() < 0.65
    assert cross_val_score(BayesianNetworkClassifier(structure="tan"), X, y).mean() > 0.85


def test_labels_and_names_are_kept():
    X, y = load_iris(return_X_y=True, as_frame=True)
    words = np.array(["setosa", "versicolor", "virginica"])[y]
    model = BayesianNetworkClassifier().fit(X, words)
    assert model.score(X, words) > 0.94
    assert set(model.network_.variables) == {*X.columns, "class"}
    assert model.network_.states["class"] == ("setosa", "versicolor", "virginica")


def test_rows_without_any_value_get_the_prior():
    X, y = table()
    model = BayesianNetworkClassifier().fit(X, y)
    nothing = model.predict_proba(np.full((2, 3), np.nan))
    assert_allclose(nothing, np.tile(model.network_.marginals()["class"], (2, 1)))


def test_impossible_rows_are_undecided():
    X = np.array([[0.0, 0.0], [1.0, 1.0]] * 5)
    y = np.array([0, 1] * 5)
    model = BayesianNetworkClassifier(structure="naive", equivalent_sample_size=0.0).fit(X, y)
    assert_allclose(model.predict_proba([[0.0, 1.0]]), [[0.5, 0.5]])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"structure": "tree"}, "structure must be one of 'tan', 'naive', got 'tree'"),
        ({"structure": [("class", "x")]}, "arrows between columns and 'class'"),
        ({"structure": [(0, 1), (1, 0)]}, "no cycle"),
        ({"n_bins": 0}, "n_bins must be an integer of at least 1, got 0"),
        ({"equivalent_sample_size": -1.0}, "must be a number of at least 0, got -1.0"),
    ],
)
def test_refusals(options, message):
    X, y = table(20)
    with pytest.raises(ValueError, match=f"BayesianNetworkClassifier: .*{message}"):
        BayesianNetworkClassifier(**options).fit(X, y)
    with pytest.raises(ValueError, match="names of the columns must be other than 'class'"):
        BayesianNetworkClassifier().fit(pd.DataFrame(X, columns=["class", "b", "c"]), y)
