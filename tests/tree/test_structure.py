import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier as TheirTree

from margin.tree import DecisionTreeClassifier


def test_arrays_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 3)).astype(np.float32)
    y = np.digitize(X[:, 0] + X[:, 1], [-0.5, 0.5])
    ours = DecisionTreeClassifier(max_depth=2).fit(X, y).tree_
    theirs = TheirTree(max_depth=2, random_state=0).fit(X, y).tree_
    for name in (
        *("node_count", "n_leaves", "max_depth", "n_outputs", "n_features", "max_n_classes"),
        *("children_left", "children_right", "feature", "threshold", "value", "impurity"),
        *("n_node_samples", "weighted_n_node_samples"),
    ):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), atol=1e-12)
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X))
    np.testing.assert_array_equal(ours.apply(X), theirs.apply(X))
    np.testing.assert_array_equal(
        ours.decision_path(X).toarray(), theirs.decision_path(X).toarray()
    )
    np.testing.assert_allclose(
        ours.compute_feature_importances(normalize=False),
        theirs.compute_feature_importances(normalize=False),
    )
    assert ours.missing_go_to_left.dtype == np.uint8
    assert ours.capacity == ours.node_count


def test_categories_of_a_number():
    tree = DecisionTreeClassifier().fit([[0], [1]], [0, 1]).tree_
    with pytest.raises(ValueError, match="node 0 asks for a number"):
        tree.categories_left(0)
