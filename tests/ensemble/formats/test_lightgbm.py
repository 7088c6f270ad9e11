"""Text files of LightGBM: a file written by hand in its format."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.ensemble.formats._lightgbm import parse_lightgbm

HEAD = """tree
version=v4
num_class=1
num_tree_per_iteration={k}
label_index=0
max_feature_idx=2
objective={objective}
feature_names=age city height

"""
# x0 <= 1.5 ? (x1 in {0, 2, 33} ? 10 : 20) : 30; missing x0 goes left.
TREE = """Tree={number}
num_leaves=3
num_cat=1
split_feature=0 1
split_gain=5 3
threshold=1.5 0
decision_type=10 1
left_child=1 -1
right_child=-3 -2
leaf_value=10 20 30
leaf_weight=1 1 1
leaf_count=4 6 10
internal_value=0 0
internal_weight=0 0
internal_count=20 10
cat_boundaries=0 2
cat_threshold=5 2
is_linear=0
shrinkage=1


"""
STUMP = """Tree={number}
num_leaves=2
num_cat=0
split_feature=2
split_gain=1
threshold={threshold}
decision_type={kind}
left_child=-1
right_child=-2
leaf_value={a} {b}
leaf_count=1 1
internal_count=2
shrinkage=1


"""
END = "end of trees\n"


def test_splits_sets_and_missing_values():
    text = HEAD.format(k=1, objective="regression") + TREE.format(number=0) + END
    trees = parse_lightgbm(text)
    nan = np.nan
    X = [
        [1.5, 0, 0],
        [1.0, 2, 0],
        [1.0, 33, 0],
        [1.0, 1, 0],
        [1.0, 999, 0],
        [1.0, nan, 0],
        [1.6, 0, 0],
        [nan, 0, 0],
    ]
    assert_array_equal(trees.predict(X), [10, 10, 10, 20, 20, 20, 30, 10])
    assert trees.feature_names == ("age", "city", "height")
    assert_array_equal(trees.forest.cover, [20, 10, 4, 6, 10])


@pytest.mark.parametrize(
    ("kind", "threshold", "side"),
    [(8, 0.5, 1), (10, 0.5, 0), (0, 0.5, 0), (0, -0.5, 1), (2, -0.5, 1)],
)
def test_missing_values_follow_their_rule(kind, threshold, side):
    """NaN by the default direction (rule 2), or as zero where there is no rule (0)."""
    stump = STUMP.format(number=0, threshold=threshold, kind=kind, a=-1, b=1)
    trees = parse_lightgbm(HEAD.format(k=1, objective="regression") + stump + END)
    assert trees.predict([[0, 0, np.nan]])[0] == (-1.0, 1.0)[side]


@pytest.mark.parametrize(
    ("objective", "answer"),
    [
        ("binary sigmoid:1", 1 / (1 + np.exp(-2.0))),
        ("binary sigmoid:3", 1 / (1 + np.exp(-6.0))),
        ("cross_entropy_lambda", np.log1p(np.exp(2.0))),
        ("poisson", np.exp(2.0)),
        ("regression_l1", 2.0),
        ("quantile alpha:0.9", 2.0),
    ],
)
def test_links(objective, answer):
    stump = STUMP.format(number=0, threshold=0.0, kind=8, a=2, b=1)
    trees = parse_lightgbm(HEAD.format(k=1, objective=objective) + stump + END)
    assert_allclose(trees.predict([[0, 0, -1.0]]), answer)


def test_trees_of_several_classes_and_averages():
    stumps = [STUMP.format(number=i, threshold=0.0, kind=8, a=i, b=-i) for i in range(4)]
    text = HEAD.format(k=2, objective="multiclass num_class:2") + "".join(stumps) + END
    trees = parse_lightgbm(text)
    assert_allclose(trees.raw([[0, 0, -1.0]]), [[0 + 2, 1 + 3]])
    assert_allclose(trees.predict([[0, 0, -1.0]]).sum(axis=1), 1.0)
    averaged = text.replace("label_index=0", "label_index=0\naverage_output")
    assert_allclose(parse_lightgbm(averaged).raw([[0, 0, -1.0]]), [[1.0, 2.0]])


WHOLE = HEAD.format(k=1, objective="regression") + TREE.format(number=0) + END


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("tree\nversion", "forest\nversion", "first line must be 'tree'"),
        ("is_linear=0", "is_linear=1", "leaves must be constants"),
        ("leaf_value=10 20 30", "leaf_value=10 20", "must have 3 leaves, got 2"),
        ("left_child=1 -1", "left_child=0 -1", "tree 0 is damaged"),
        ("left_child=1 -1", "left_child=7 -1", "tree 0 is damaged"),
        ("split_feature=0 1", "split_feature=0 99", "tree 0 is damaged"),
        ("threshold=1.5 0", "threshold=1.5", "must have 2 splits"),
        ("threshold=1.5 0", "threshold=1.5 many", "tree 0 is damaged"),
        ("cat_boundaries=0 2", "cat_boundaries=0 90", "tree 0 is damaged"),
        ("decision_type=10 1", "decision_type=4 1", "zero_as_missing"),
        ("objective=regression", "objective=binary sigmoid:0", "sigmoid must be above 0, got 0"),
        ("objective=regression", "objective=mine", "objective must be a known one"),
        ("cat_boundaries=0 2", "cat_boundaries=-2 2", "must rise from 0"),
        ("threshold=1.5 0", "threshold=1.5 -1", "sets of categories must be there"),
        ("leaf_value=10 20 30", "leaf_value=10 nan 30", "leaves must hold numbers"),
        ("split_feature=0 1", "split_feature=0 4294967296", "whole and fit int32"),
        ("objective=regression", "objective=regression sqrt", "without sqrt"),
    ],
)
def test_damaged_and_unusual_files_are_refused(old, new, text):
    assert old in WHOLE
    with pytest.raises(ValueError, match="LightGBM file") as caught:
        parse_lightgbm(WHOLE.replace(old, new))
    assert text in str(caught.value)


def test_a_file_cut_short_is_refused():
    for cut in range(20, len(WHOLE) - 1, 37):
        with pytest.raises(ValueError, match="LightGBM file"):
            parse_lightgbm(WHOLE[:cut])
