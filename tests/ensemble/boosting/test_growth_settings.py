import numpy as np
import pytest

from margin.ensemble.boosting._growth_settings import (
    Weights,
    checked_rules,
    growth_rules,
    least_leaf,
)
from margin.search import TreeRules

FREE = {"min_child_weight": 1e-3, "min_gain": 0.0}


def rules(n=100, p=10, weight=None, share=1.0, **given):
    asked = checked_rules("Model", TreeRules(criterion="newton", **given))
    return growth_rules(asked, n, p, Weights.of(n, weight, share), **FREE)


@pytest.mark.parametrize(
    ("value", "count"),
    [(None, 0), (1.0, 0), (0.5, 5), (0.01, 1), (3, 3), (10, 0), (99, 0), ("sqrt", 3), ("log2", 3)],
)
def test_columns_of_a_split(value, count):
    assert rules(max_features=value).split_features == count


@pytest.mark.parametrize("value", [0, 0.0, 1.5, -1, "all", True])
def test_no_columns(value):
    with pytest.raises(ValueError, match="Model: max_features must be"):
        rules(max_features=value)


def test_rows_of_leaves_and_nodes():
    assert [least_leaf("auto", n) for n in (1, 40, 399, 400, 10**6)] == [1, 2, 19, 20, 20]
    assert rules(min_samples_leaf="auto").min_samples_leaf == 5
    assert rules(min_samples_leaf=0.031).min_samples_leaf == 4
    assert rules(min_samples_split=0.1).min_samples_split == 10
    with pytest.raises(ValueError, match="Model: min_samples_leaf must be"):
        rules(min_samples_leaf="few")


def test_shares_of_the_weight():
    assert rules(min_weight_fraction_leaf=0.1).min_samples_leaf == 10
    assert rules(min_weight_fraction_leaf=0.1, share=0.5).min_samples_leaf == 5
    weight = np.full(100, 3.0)
    heavy = rules(weight=weight, min_weight_fraction_leaf=0.1, min_impurity_decrease=0.01)
    assert (heavy.min_samples_leaf, heavy.min_child_weight) == (1, pytest.approx(30.0))
    assert heavy.min_gain == pytest.approx(3.0)
