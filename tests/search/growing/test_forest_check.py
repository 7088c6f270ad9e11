"""Arrays of a hostile file are refused before they are followed."""

from dataclasses import replace

import numpy as np
import pytest

from margin.search import Forest


def tree():
    return Forest.of_tree(
        n_features=2,
        feature=[0, 1, -1, -1, -1],
        threshold=[0.0, 1.0, np.nan, np.nan, np.nan],
        left=[1, 2, -1, -1, -1],
        right=[4, 3, -1, -1, -1],
        value=np.arange(5.0),
    )


def ints(*values):
    return np.array(values, dtype=np.int32)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"left": ints(1, 0, -1, -1, -1)}, "below a parent"),
        ({"left": ints(1, 1, -1, -1, -1)}, "below a parent"),
        ({"left": ints(5, 2, -1, -1, -1)}, "below a parent"),
        ({"right": ints(4, 2**31 - 1, -1, -1, -1)}, "below a parent"),
        ({"right": ints(4, -1, -1, -1, -1)}, "two children"),
        ({"right": ints(2, 3, -1, -1, -1)}, "exactly one parent"),
        ({"left": ints(-7, 2, -1, -1, -1)}, "two children"),
        ({"left": ints(-7, 2, -1, -1, -1), "right": ints(-7, 3, -1, -1, -1)}, "below a parent"),
        ({"feature": ints(2, 1, -1, -1, -1)}, "feature must lie"),
        ({"feature": ints(-1, 1, -1, -1, -1)}, "feature must lie"),
        ({"feature": ints(0, 1, 0, -1, -1)}, "-1 in leaves"),
        ({"feature": np.array([0, 1, -1, -1, -1])}, "feature must be a contiguous array of int32"),
        ({"threshold": np.array([np.nan, 1.0, 0, 0, 0])}, "threshold must be a number"),
        ({"threshold": np.zeros(4)}, "entry per node"),
        ({"value": np.zeros((5, 0))}, "value must have 1 columns"),
        ({"value": np.zeros((5, 4))[:, ::2]}, "contiguous"),
        ({"offsets": np.array([0, 4])}, "end at"),
        ({"offsets": np.array([1, 5])}, "start at 0"),
        ({"offsets": np.array([0, 0, 5]), "output": ints(-1, -1)}, "must rise"),
        ({"offsets": np.array([0, 2, 5]), "output": ints(-1, -1)}, "below a parent"),
        ({"output": ints(1)}, "output must lie"),
        ({"output": ints(-1, -1)}, "output must have"),
        ({"n_outputs": 2}, "2 columns"),
        ({"n_features": 0}, "n_features"),
        ({"n_features": 2**30}, "below 2"),
        ({"categories": ints(0, -1, -1, -1, -1)}, None),
        ({"categories": ints(-2, -1, -1, -1, -1)}, "categories must be -1"),
        (
            {
                "categories": ints(2**31 - 1, -1, -1, -1, -1),
                "category_words": ints(2**31 - 1, 0, 0, 0, 0),
            },
            "within category_bits",
        ),
        (
            {"categories": ints(0, -1, -1, -1, -1), "category_words": ints(-1, 0, 0, 0, 0)},
            "within category_bits",
        ),
    ],
)
def test_what_is_no_forest(change, message):
    changed = replace(tree(), **change)
    if message is None:
        assert changed.check() is changed
    else:
        with pytest.raises(ValueError, match=f"Forest: .*{message}"):
            changed.check()


def test_a_forest_passes():
    forest = tree()
    assert forest.check() is forest
