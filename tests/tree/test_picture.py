import numpy as np
import pytest

from margin.tree import DecisionTreeClassifier, DecisionTreeRegressor, TreeDisplay, plot_tree

plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture
def model():
    plt.close("all")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    yield DecisionTreeClassifier(max_depth=3).fit(X, X[:, 0] > X[:, 1])
    plt.close("all")


def test_one_box_per_node(model):
    boxes = plot_tree(model, class_names=True, filled=True, fontsize=7)
    assert len(boxes) == model.tree_.node_count + 2
    words = [box.get_text().strip() for box in boxes]
    assert words.count("True") == words.count("False") == 1
    assert all(box.get_fontsize() == 7 for box in boxes)
    assert "class = " in boxes[0].get_text()
    assert len(plot_tree(model, max_depth=1)) < len(boxes)


def test_display(model):
    display = TreeDisplay.from_estimator(model, node_ids=True, proportion=True, rounded=False)
    assert display.annotations_[0].get_text().startswith("node #0\nx[")
    assert "100.0%" in display.texts[0]
    assert display.ax_ is plt.gca()


def test_numbers_and_bare_boxes():
    tree = DecisionTreeRegressor().fit([[0], [1]], [1.0, 3.0])
    bare = TreeDisplay.of(tree, impurity=False, label="none", filled=False)
    assert bare.texts[1] == "1\n1.0"
    assert bare.fills == {}
