import numpy as np
import pytest

from margin.search import NUMBER_CRITERIA, TreeRules, chosen_columns


def rules(**given):
    return TreeRules(criterion="squared_error", **given)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("splitter", "worst"),
        ("max_depth", 0),
        ("max_depth", 1.5),
        ("min_samples_split", 1),
        ("min_samples_split", 1.5),
        ("min_samples_leaf", 0),
        ("min_samples_leaf", 1.0),
        ("min_weight_fraction_leaf", 0.6),
        ("max_features", 0),
        ("max_features", "all"),
        ("max_leaf_nodes", 1),
        ("min_impurity_decrease", -0.1),
        ("min_impurity_decrease", np.inf),
    ],
)
def test_refusals_name_class_parameter_and_value(name, value):
    with pytest.raises(ValueError, match=rf"Tree: {name} must be .*, got {value!r}"):
        rules(**{name: value}).checked("Tree", NUMBER_CRITERIA)


def test_unknown_criterion():
    with pytest.raises(ValueError, match="Tree: criterion must be one of 'squared_error'"):
        TreeRules(criterion="gini").checked("Tree", NUMBER_CRITERIA)


def test_friedman_is_deprecated():
    with pytest.warns(FutureWarning, match="friedman_mse"):
        TreeRules(criterion="friedman_mse").checked("Tree", NUMBER_CRITERIA)


@pytest.mark.parametrize(
    ("asked", "columns"), [(None, 30), ("sqrt", 5), ("log2", 4), (7, 7), (0.5, 15), (0.001, 1)]
)
def test_columns_per_split(asked, columns):
    assert rules(max_features=asked).columns_per_split(30) == columns


def test_shares_become_counts():
    settings = rules(min_samples_leaf=0.031, min_samples_split=0.05).settings(
        "Tree", 100, 3, NUMBER_CRITERIA
    )
    assert settings.min_samples_leaf == 4
    assert settings.min_samples_split == 8


def test_columns_by_number_mask_and_name():
    names = np.array(["a", "b", "c"], dtype=object)
    for asked in ([0, 2], [True, False, True], ["a", "c"]):
        np.testing.assert_array_equal(chosen_columns("Tree", "x", asked, names, 3), [0, 2])
    with pytest.raises(ValueError, match="Tree: x must be a mask, names or numbers"):
        chosen_columns("Tree", "x", ["d"], names, 3)
