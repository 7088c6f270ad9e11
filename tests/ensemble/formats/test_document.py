"""Our own files of trees."""

import json

import numpy as np
import pytest

from margin.ensemble.formats._document import document_of, parse_document
from margin.search import Forest, TreeSum


def trees():
    forest = Forest.of_tree(
        n_features=3,
        feature=[2, -1, 1, -1, -1],
        threshold=[np.inf, np.nan, np.nan, np.nan, np.nan],
        left=[1, -1, 3, -1, -1],
        right=[2, -1, 4, -1, -1],
        value=np.array([[0.1 + 0.2], [1 / 3], [0.0], [-1e-300], [1e300]]),
        missing_left=[True, False, False, False, False],
        categories=[-1, -1, 0, -1, -1],
        category_words=[0, 0, 2, 0, 0],
        category_bits=[2**32 - 1, 5],
        cover=[5.0, 2.0, 3.0, 1.0, 2.0],
    )
    return TreeSum(forest, (0.1,), 0.3, "logistic", ("a", "b", "c"), "test")


def test_a_document_holds_everything_to_the_last_bit():
    text = json.dumps(document_of(trees()), allow_nan=False)
    again = parse_document(json.loads(text))
    for name in ("threshold", "value", "cover", "category_bits", "missing_left", "offsets"):
        np.testing.assert_array_equal(getattr(again.forest, name), getattr(trees().forest, name))
    assert (again.base, again.scale, again.link) == ((0.1,), 0.3, "logistic")
    assert again.feature_names == ("a", "b", "c")


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("left", [1, -1, 0, -1, -1]),
        ("left", [1, -1, 900, -1, -1]),
        ("feature", [2, -1, 77, -1, -1]),
        ("category_words", [0, 0, 20, 0, 0]),
        ("threshold", ["a"] * 5),
        ("offsets", [0, 99]),
        ("category_bits", [-5, 2**40]),
        ("value", None),
    ],
)
def test_hostile_documents_are_refused(part, value):
    document = document_of(trees())
    document["forest"][part] = value
    with pytest.raises(ValueError, match="file of trees: it is damaged"):
        parse_document(document)
