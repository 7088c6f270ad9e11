"""JSON files of XGBoost: a document written by hand in its format."""

from copy import deepcopy

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.ensemble.formats._xgboost import below, parse_xgboost


def tree(**changes):
    """x0 < 0.1 ? 1 : (x1 in {1, 3} ? 3 : 2); missing x0 goes right, missing x1 left."""
    return {
        "tree_param": {"num_nodes": "5", "size_leaf_vector": "1"},
        "left_children": [1, -1, 3, -1, -1],
        "right_children": [2, -1, 4, -1, -1],
        "split_indices": [0, 0, 1, 0, 0],
        "split_conditions": [0.1, 1.0, 0.0, 2.0, 3.0],
        "split_type": [0, 0, 1, 0, 0],
        "default_left": [0, 0, 1, 0, 0],
        "categories": [1, 3],
        "categories_nodes": [2],
        "categories_segments": [0],
        "categories_sizes": [2],
        "sum_hessian": [10.0, 4.0, 6.0, 3.0, 3.0],
        "loss_changes": [5.0, 0.0, 2.0, 0.0, 0.0],
        **changes,
    }


def document(objective="reg:squarederror", base="[5E-1]", groups=(0,), classes="0", trees=None):
    given = [tree() for _ in groups] if trees is None else trees
    return {
        "learner": {
            "feature_names": ["a", "b"],
            "learner_model_param": {
                "base_score": base,
                "num_class": classes,
                "num_feature": "2",
                "num_target": "1",
            },
            "objective": {"name": objective},
            "gradient_booster": {
                "name": "gbtree",
                "model": {"trees": given, "tree_info": list(groups)},
            },
        },
        "version": [3, 0, 0],
    }


def test_splits_sets_and_missing_values():
    trees = parse_xgboost(document())
    nan = np.nan
    X = [[0.0, 0], [0.2, 0], [0.2, 1], [0.2, 3], [0.2, 2], [nan, 1], [0.2, nan]]
    assert_allclose(trees.predict(X) - 0.5, [1, 2, 3, 3, 2, 3, 2])
    assert_array_equal(trees.forest.cover, [10, 4, 6, 3, 3])
    assert trees.feature_names == ("a", "b")


def test_comparisons_are_those_of_single_precision():
    """A number goes left exactly when its rounding is less than the condition."""
    rng = np.random.default_rng(0)
    limits = rng.normal(size=200).astype(np.float32)
    for limit in limits:
        highest = below(np.array([limit]))[0]
        near = highest + np.arange(-4, 5) * np.spacing(highest)
        assert_array_equal(near <= highest, near.astype(np.float32) < limit)
        step = np.float64(np.spacing(limit))
        wide = np.float64(limit) + np.linspace(-2, 2, 41) * step
        assert_array_equal(wide <= highest, wide.astype(np.float32) < limit)


@pytest.mark.parametrize(
    ("objective", "base", "answer"),
    [
        ("binary:logistic", "[2E-1]", 1 / (1 + np.exp(-(1 + np.log(0.25))))),
        ("count:poisson", "3E0", 3 * np.exp(1.0)),
        ("reg:absoluteerror", "[7E0]", 8.0),
    ],
)
def test_links_and_constants(objective, base, answer):
    trees = parse_xgboost(document(objective, base))
    assert_allclose(trees.predict([[0.0, 0.0]]), answer, rtol=1e-6)


def test_trees_of_several_classes_and_dropped_weights():
    trees = parse_xgboost(document("multi:softprob", "5E-1", (0, 1, 2, 0), "3"))
    assert_allclose(trees.raw([[0.0, 0.0]]), [[2.5, 1.5, 1.5]])
    dart = document(groups=(0, 0))
    booster = dart["learner"]["gradient_booster"]
    dart["learner"]["gradient_booster"] = {
        "name": "dart",
        "gbtree": booster,
        "weight_drop": [1.0, 0.25],
    }
    assert_allclose(parse_xgboost(dart).predict([[0.0, 0.0]]), 0.5 + 1.25)


@pytest.mark.parametrize(
    "changes",
    [
        {"left_children": [1, -1, 0, -1, -1]},
        {"left_children": [1, -1, 99, -1, -1]},
        {"split_indices": [0, 0, 7, 0, 0]},
        {"split_conditions": [0.1, 1.0]},
        {"default_left": "yes"},
        {"tree_param": {"size_leaf_vector": "3"}},
        {"categories_nodes": [2, 2]},
    ],
)
def test_damaged_trees_are_refused(changes):
    with pytest.raises(ValueError, match="XGBoost file: it is damaged"):
        parse_xgboost(document(trees=[tree(**changes)]))


def test_other_boosters_and_missing_parts_are_refused():
    linear = document()
    linear["learner"]["gradient_booster"]["name"] = "gblinear"
    with pytest.raises(ValueError, match="gblinear"):
        parse_xgboost(linear)
    for part in ("objective", "learner_model_param", "gradient_booster"):
        broken = deepcopy(document())
        del broken["learner"][part]
        with pytest.raises(ValueError, match="XGBoost file"):
            parse_xgboost(broken)
    with pytest.raises(ValueError, match="at least one tree"):
        parse_xgboost(document(groups=()))


@pytest.mark.parametrize("default_left", [0, 1])
def test_categories_that_no_split_names_go_left(default_left):
    trees = parse_xgboost(document(trees=[tree(default_left=[0, 0, default_left, 0, 0])]))
    X = np.column_stack([np.full(6, 0.2), [0, 40, 2000, 4095, 3, np.nan]])
    assert_allclose(trees.predict(X) - 0.5, [2, 2, 2, 2, 3, 2 if default_left else 3])


@pytest.mark.parametrize("category", [-1, 2**24, 2**40])
def test_impossible_categories(category):
    with pytest.raises(ValueError, match="categories must lie from 0"):
        parse_xgboost(document(trees=[tree(categories=[1, category])]))


def test_arrays_in_the_place_of_lists():
    plain = parse_xgboost(document())
    packed = {
        name: np.array(value) if isinstance(value, list) else value
        for name, value in tree().items()
    }
    arrays = parse_xgboost(document(trees=[packed]))
    X = np.random.default_rng(0).integers(0, 5, size=(50, 2)) / [4.0, 1.0]
    assert_array_equal(arrays.predict(X), plain.predict(X))
