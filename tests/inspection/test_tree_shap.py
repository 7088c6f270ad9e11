"""Shapley values of models made of trees."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.base import is_classifier

from margin.ensemble import (
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    read_trees,
    write_trees,
)
from margin.inspection import tree_shap
from margin.search import Forest, TreeSum
from margin.tree import DecisionTreeClassifier, DecisionTreeRegressor


def grown(cover=True):
    """x0 <= 0 ? 1 : (x1 <= 0 ? 2 : 5)"""
    return Forest.of_tree(
        n_features=2,
        feature=[0, -1, 1, -1, -1],
        threshold=[0.0, np.nan, 0.0, np.nan, np.nan],
        left=[1, -1, 3, -1, -1],
        right=[2, -1, 4, -1, -1],
        value=np.array([[0.0], [1.0], [0.0], [2.0], [5.0]]),
        cover=[8.0, 4.0, 4.0, 2.0, 2.0] if cover else None,
    )


X = np.array([[1.0, 1.0], [-1.0, 1.0], [1.0, np.nan]])


def test_by_hand():
    """Worths: nothing 2.25; x0 = 1: 3.5; x1 = 1: 3; both: 5."""
    shown = tree_shap(TreeSum(grown(), (10.0,), 2.0), X)
    phi0 = 0.5 * ((3.5 - 2.25) + (5 - 3))
    phi1 = 0.5 * ((3 - 2.25) + (5 - 3.5))
    assert_allclose(shown.values[0, :, 0], [2 * phi0, 2 * phi1])
    assert_allclose(shown.base, [10 + 2 * 2.25])
    assert_allclose(shown.prediction, TreeSum(grown(), (10.0,), 2.0).raw(X))


def test_background_and_interactions():
    background = np.array([[-1.0, -1.0], [1.0, -1.0]])
    trees = TreeSum(grown(cover=False))
    shown = tree_shap(trees, X, background=background, interactions=True, n_jobs=1)
    assert_allclose(shown.base, trees.raw(background).mean())
    assert_allclose(shown.prediction, trees.raw(X))
    assert_allclose(shown.interactions.sum(axis=2), shown.values)
    assert_allclose(shown.interactions, np.swapaxes(shown.interactions, 1, 2))


def test_names_come_from_the_frame():
    frame = pd.DataFrame(X, columns=["age", "height"])
    assert tree_shap(TreeSum(grown()), frame).feature_names == ("age", "height")


@pytest.mark.parametrize(
    ("model", "rows", "given", "text"),
    [
        ("tree", X, {}, "model must be a fitted model made of trees, or TreeSum, got 'str'"),
        (TreeSum(grown()), X[:, :1], {}, "X must be a table of 2 columns, got (3, 1)"),
        (TreeSum(grown()), [["a", "b"]], {}, "X must be numbers, got '<U1'"),
        (TreeSum(grown()), X, {"background": X[:0]}, "background must be at least one row"),
        (
            TreeSum(grown(cover=False)),
            X,
            {},
            "background must be given for trees that do not tell their training weight, got None",
        ),
    ],
)
def test_refusals(model, rows, given, text):
    with pytest.raises(ValueError, match="tree_shap") as caught:
        tree_shap(model, rows, **given)
    assert text in str(caught.value)


@pytest.mark.parametrize(
    "model",
    [
        DecisionTreeRegressor(max_depth=4),
        DecisionTreeClassifier(max_depth=4),
        GradientBoostingRegressor(n_estimators=5),
        GradientBoostingRegressor(n_estimators=5, loss="poisson"),
        GradientBoostingClassifier(n_estimators=5),
        RandomForestRegressor(n_estimators=5),
        RandomForestClassifier(n_estimators=5),
        ExtraTreesRegressor(n_estimators=5),
    ],
)
def test_every_model_of_trees_can_be_explained_and_written(model, tmp_path):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(120, 4))
    rows[rng.random(rows.shape) < 0.05] = np.nan
    target = np.nan_to_num(rows[:, 0]) + np.nan_to_num(rows[:, 1]) ** 2
    y = np.digitize(target, [0.0, 1.0]) if is_classifier(model) else np.abs(target)
    model.fit(rows, y)
    shown = tree_shap(model, rows)
    write_trees(model, tmp_path / "model.json")
    again = read_trees(tmp_path / "model.json")
    assert_allclose(shown.prediction, again.raw(rows), atol=1e-9)
    if hasattr(model, "predict_proba"):
        answer = again.predict(rows)
        assert_allclose(answer, model.predict_proba(rows), atol=1e-12)
    else:
        assert_allclose(again.predict(rows), model.predict(rows), rtol=1e-12)
