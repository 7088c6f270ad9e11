"""Reading and writing files of trees."""

import json

import numpy as np
import pytest

from margin.ensemble import read_trees, write_trees
from margin.search import Forest, TreeSum

LEAF = """tree
max_feature_idx=0
Tree=0
num_leaves=1
leaf_value=4
"""
EMPTY = {"learner": {"gradient_booster": {"name": "gblinear"}}}


def test_the_kind_of_a_file_is_seen(tmp_path):
    (tmp_path / "model.txt").write_text(LEAF)
    (tmp_path / "model.json").write_text(json.dumps(EMPTY))
    assert read_trees(tmp_path / "model.txt").source == "LightGBM"
    with pytest.raises(ValueError, match=r"XGBoost file: it is damaged.*gblinear"):
        read_trees(str(tmp_path / "model.json"))


def test_what_is_written_is_read(tmp_path):
    leaf = Forest.of_tree(
        n_features=1, feature=[-1], threshold=[np.nan], left=[-1], right=[-1], value=[[1 / 3]]
    )
    write_trees(TreeSum(leaf), tmp_path / "trees.json")
    again = read_trees(tmp_path / "trees.json")
    assert again.source == "margin"
    assert again.predict([[0.0]])[0] == 1 / 3


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[1, 2]",
        b'{"learner": 3}',
        b"\xff\xfe\x00",
        b"[" * 100_000,
        b"{i\x07learner",
        b"{i\x07learner{}}",
        b"{L\x7f",
    ],
)
def test_other_files_are_refused(tmp_path, content):
    path = tmp_path / "other.bin"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"read_trees: path must be|XGBoost file"):
        read_trees(path)
