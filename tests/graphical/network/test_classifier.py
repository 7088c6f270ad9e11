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


def words_table(n=300, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    colours = np.array(["blue", "green", "red"])
    colour = colours[np.where(rng.random(n) < 0.8, y * 2, rng.integers(0, 3, n))]
    shape = np.array(["round", "square"])[(y + (rng.random(n) < 0.3)) % 2]
    return pd.DataFrame({"colour": colour, "shape": shape, "size": y + rng.random(n)}), y


@pytest.mark.parametrize("structure", ["naive", "tan"])
def test_words_are_states(structure):
    """String features: the same answers as with codes in their place, states by their names."""
    frame, y = words_table()
    model = BayesianNetworkClassifier(structure=structure, n_bins=3).fit(frame, y)
    coded = frame.assign(
        colour=frame["colour"].map({"blue": 0.0, "green": 1.0, "red": 2.0}),
        shape=frame["shape"].map({"round": 0.0, "square": 1.0}),
    )
    numbers = BayesianNetworkClassifier(structure=structure, n_bins=3).fit(coded, y)
    assert_allclose(model.predict_proba(frame), numbers.predict_proba(coded), rtol=1e-12)
    assert model.network_.states["colour"] == ("blue", "green", "red")
    assert model.score(frame, y) > 0.8
    row = {"colour": "red", "shape": "round"}
    single = frame.iloc[[0]].assign(**row, size=np.nan)
    exact = model.network_.query("class", row).values
    assert_allclose(model.predict_proba(single)[0], exact, rtol=1e-12)


def test_words_in_arrays_many_levels_and_gaps():
    frame, y = words_table()
    whole = BayesianNetworkClassifier().fit(frame, y)
    array = BayesianNetworkClassifier().fit(frame.to_numpy(), y)
    assert_allclose(array.predict_proba(frame.to_numpy()), whole.predict_proba(frame), rtol=1e-12)
    many = pd.DataFrame({"code": [f"c{i:02d}" for i in range(20)] * 5})
    labels = np.tile(np.arange(20) % 2, 5)
    assert BayesianNetworkClassifier(n_bins=3).fit(many, labels).score(many, labels) == 1.0
    gaps = frame.mask(np.random.default_rng(1).random(frame.shape) < 0.2)
    held = BayesianNetworkClassifier().fit(gaps, y)
    assert held.score(frame, y) > 0.8
    strange = frame.iloc[[0]].assign(colour="violet")
    nothing = frame.iloc[[0]].assign(colour=None)
    assert_allclose(whole.predict_proba(strange), whole.predict_proba(nothing), rtol=1e-12)


def test_words_of_rows_that_do_not_count():
    frame, y = words_table(40)
    weight = np.ones(40)
    extra = pd.DataFrame({"colour": ["amber"], "shape": ["round"], "size": [0.5]})
    longer = pd.concat([frame, extra], ignore_index=True)
    one = BayesianNetworkClassifier().fit(frame, y)
    two = BayesianNetworkClassifier().fit(longer, np.append(y, 0), np.append(weight, 0.0))
    assert_allclose(one.predict_proba(frame), two.predict_proba(frame), rtol=1e-12)
