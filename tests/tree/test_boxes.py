import numpy as np

from margin.tree import DecisionTreeClassifier, DecisionTreeRegressor
from margin.tree._boxes import fills, layout


def test_parents_stand_over_their_children():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 2))
    tree = DecisionTreeRegressor(max_depth=4).fit(X, X[:, 0] * X[:, 1]).tree_
    places = layout(tree, None)
    assert len(set(places.values())) == tree.node_count
    for node in np.flatnonzero(tree.children_left >= 0):
        left, right = tree.children_left[node], tree.children_right[node]
        assert places[left][0] < places[node][0] < places[right][0]
        assert places[left][1] == places[node][1] - 1
    assert len(layout(tree, 0)) == 3


def test_pure_boxes_are_stronger_than_mixed_ones():
    tree = DecisionTreeClassifier().fit([[0], [1]], [0, 1]).tree_
    colours = fills(tree, True, range(3))
    assert colours[0] == "#ffffff"
    assert len(set(colours.values())) == 3
