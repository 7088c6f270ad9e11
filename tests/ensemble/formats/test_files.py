"""Reading and writing files of trees."""

import json
from pathlib import Path

import numpy as np
import pytest

from margin.ensemble import read_trees, write_trees
from margin.search import Forest, TreeSum

LEAF = """tree
max_feature_idx=0
Tree=0
num_leaves=1
leaf_value=4


end of trees
"""
FILES = Path(__file__).parent / "files"  # made by make_files.py, with LightGBM and XGBoost
ANSWERS = json.loads((FILES / "answers.json").read_text(encoding="utf-8"))
ROWS = np.array(ANSWERS.pop("rows"), dtype=float)
NAMES = sorted(path.name for path in FILES.iterdir() if path.suffix in (".txt", ".json", ".ubj"))
NAMES.remove("answers.json")
EMPTY = {"learner": {"gradient_booster": {"name": "gblinear"}}}


def test_the_kind_of_a_file_is_seen(tmp_path):
    (tmp_path / "model.txt").write_text(LEAF)
    (tmp_path / "model.json").write_text(json.dumps(EMPTY))
    assert read_trees(tmp_path / "model.txt").source == "LightGBM"
    with pytest.raises(ValueError, match=r"XGBoost file: it is damaged.*gblinear"):
        read_trees(str(tmp_path / "model.json"))


@pytest.mark.parametrize("broken", [None, "inf"])
@pytest.mark.parametrize("part", ["value", "cover"])
def test_numbers_that_would_spoil_answers_are_refused(tmp_path, part, broken):
    leaf = Forest.of_tree(
        n_features=1, feature=[-1], threshold=[np.nan], left=[-1], right=[-1], value=[[1 / 3]]
    )
    write_trees(TreeSum(leaf), tmp_path / "trees.json")
    document = json.loads((tmp_path / "trees.json").read_text(encoding="utf-8"))
    document["forest"][part] = [[broken]] if part == "value" else [broken]
    (tmp_path / "trees.json").write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(ValueError, match=rf"damaged: {part}s? ?.*must be finite"):
        read_trees(tmp_path / "trees.json")


def test_infinite_leaves_of_other_libraries_are_refused(tmp_path):
    (tmp_path / "model.txt").write_text(LEAF.replace("leaf_value=4", "leaf_value=inf"))
    with pytest.raises(ValueError, match="damaged"):
        read_trees(tmp_path / "model.txt")


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


@pytest.mark.parametrize("name", NAMES)
def test_real_files_answer_as_their_makers_do(name):
    """LightGBM adds in double precision as we do, XGBoost in single."""
    trees = read_trees(FILES / name)
    expected = np.array(ANSWERS[name.replace(".ubj", ".json")])
    precision = 1e-12 if name.startswith("lightgbm") else 1e-6
    np.testing.assert_allclose(trees.predict(ROWS), expected, rtol=precision, atol=precision)
    assert expected.std() > 0.01


def test_probabilities_of_real_files():
    shares = read_trees(FILES / "xgboost_softmax.json").predict_proba(ROWS)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    each = read_trees(FILES / "lightgbm_multiclassova.txt")
    np.testing.assert_array_equal(each.predict_proba(ROWS), each.predict(ROWS))


@pytest.mark.parametrize("name", [name for name in NAMES if name.endswith((".txt", ".ubj"))])
def test_a_real_file_cut_short_is_refused(name, tmp_path):
    whole = (FILES / name).read_bytes()
    end = whole.find(b"end of trees") if name.endswith(".txt") else len(whole)
    for cut in np.linspace(1, end + 3 if name.endswith(".txt") else end - 1, 25).astype(int):
        (tmp_path / name).write_bytes(whole[:cut])
        with pytest.raises(
            ValueError, match=r"read_trees: path must be|LightGBM file|XGBoost file"
        ):
            read_trees(tmp_path / name)


def test_new_models_of_lightgbm(tmp_path):
    lightgbm = pytest.importorskip("lightgbm")
    rng = np.random.default_rng(1)
    X = rng.normal(size=(500, 4))
    X[rng.random(X.shape) < 0.1] = np.nan
    y = np.nan_to_num(X[:, 0]) * np.nan_to_num(X[:, 1])
    model = lightgbm.train({"verbose": -1}, lightgbm.Dataset(X, y), 20)
    model.save_model(tmp_path / "model.txt")
    ours = read_trees(tmp_path / "model.txt").predict(X)
    np.testing.assert_allclose(ours, model.predict(X), rtol=1e-12, atol=1e-12)


def test_new_models_of_xgboost(tmp_path):
    xgboost = pytest.importorskip("xgboost")
    rng = np.random.default_rng(1)
    X = rng.normal(size=(500, 4)).astype(np.float32)
    y = X[:, 0] * X[:, 1]
    model = xgboost.train({"max_depth": 4}, xgboost.DMatrix(X, y), 20)
    model.save_model(tmp_path / "model.ubj")
    ours = read_trees(tmp_path / "model.ubj").predict(X)
    np.testing.assert_allclose(ours, model.predict(xgboost.DMatrix(X)), rtol=1e-5, atol=1e-6)


def _changed(name, change):
    document = json.loads((FILES / name).read_text(encoding="utf-8"))
    learner = document["learner"]
    model = learner["gradient_booster"]["model"]
    change(learner, model, model["trees"][0])
    return json.dumps(document)


HOSTILE = {
    "many classes": lambda learner, model, tree: learner["learner_model_param"].update(
        num_class="1000000000"
    ),
    "no base": lambda learner, model, tree: learner["learner_model_param"].pop("base_score"),
    "base in words": lambda learner, model, tree: learner["learner_model_param"].update(
        base_score="abc"
    ),
    "base beyond a share": lambda learner, model, tree: learner["learner_model_param"].update(
        base_score="2"
    ),
    "names": lambda learner, model, tree: learner.update(feature_names=5),
    "other names": lambda learner, model, tree: learner.update(feature_names=["a"]),
    "wide index": lambda learner, model, tree: tree["split_indices"].__setitem__(0, 2**32),
    "wide child": lambda learner, model, tree: tree["left_children"].__setitem__(0, 2**32 + 1),
    "group": lambda learner, model, tree: model["tree_info"].__setitem__(0, 7),
    "no trees": lambda learner, model, tree: model.update(trees=[], tree_info=[]),
    "leaf of nothing": lambda learner, model, tree: tree.update(
        split_conditions=[float("nan")] * len(tree["split_conditions"])
    ),
    "set of no node": lambda learner, model, tree: tree.update(
        categories_nodes=[-3], categories_segments=[0], categories_sizes=[1], categories=[1]
    ),
    "set of nothing": lambda learner, model, tree: tree.update(
        categories_nodes=[0], categories_segments=[-1], categories_sizes=[1], categories=[1]
    ),
    "objective": lambda learner, model, tree: learner["objective"].update(name="reg:mine"),
}


@pytest.mark.parametrize("fault", HOSTILE)
def test_hostile_files_of_xgboost(fault, tmp_path):
    path = tmp_path / "model.json"
    path.write_text(_changed("xgboost_logistic.json", HOSTILE[fault]), encoding="utf-8")
    with pytest.raises(ValueError, match="XGBoost file: it is damaged"):
        read_trees(path)


def test_a_base_that_has_no_logarithm(tmp_path):
    path = tmp_path / "model.json"
    change = HOSTILE["base beyond a share"]
    text = _changed("xgboost_gamma.json", change).replace('"base_score": "2"', '"base_score": "-1"')
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match=r"base_score must be above 0, got '-1'"):
        read_trees(path)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("num_tree_per_iteration=1\n", "num_tree_per_iteration=2\n", None),
        ("num_tree_per_iteration=1\n", "num_tree_per_iteration=10000000000\n", "must divide"),
        ("num_tree_per_iteration=1\n", "num_tree_per_iteration=0\n", "must divide"),
        ("num_tree_per_iteration=1\n", "num_tree_per_iteration=some\n", "header is damaged"),
        ("feature_names=Column_0 ", "feature_names=", "must be 3 names, got 2"),
        ("objective=binary", "objective=mine", "objective must be a known one, got 'mine'"),
        ("Tree=1", "Tree=7", "numbered one after another"),
        ("sigmoid:2", "sigmoid:-2", "sigmoid must be above 0"),
    ],
)
def test_hostile_files_of_lightgbm(old, new, message, tmp_path):
    text = (FILES / "lightgbm_binary.txt").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "model.txt"
    path.write_text(text.replace(old, new), encoding="utf-8")
    if message is None:
        assert read_trees(path).forest.n_outputs == 2  # two trees are one for each
        path.write_text(_without_last_tree(text).replace(old, new), encoding="utf-8")
        message = "must divide the 1 trees"
    with pytest.raises(ValueError, match=f"LightGBM file: .*{message}"):
        read_trees(path)


def _without_last_tree(text):
    start, end = text.index("Tree=1"), text.index("end of trees")
    return text[:start] + text[end:]


def test_a_document_nested_without_end(tmp_path):
    path = tmp_path / "model.json"
    nested = "[" * 900 + "]" * 900
    path.write_text('{"format": "margin trees 1", "forest": {"offsets": ' + nested + "}}")
    with pytest.raises(ValueError, match="it is damaged"):
        read_trees(path)
