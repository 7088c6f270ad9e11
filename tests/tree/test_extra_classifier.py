import numpy as np
from sklearn.datasets import load_iris

from margin.tree import DecisionTreeClassifier, ExtraTreeClassifier


def test_random_trees_interpolate_and_differ():
    X, y = load_iris(return_X_y=True)
    models = [ExtraTreeClassifier(random_state=s).fit(X, y) for s in (0, 1)]
    assert all(model.score(X, y) == 1.0 for model in models)
    assert models[0].tree_.threshold[0] != models[1].tree_.threshold[0]
    # Thresholds drawn at random need more questions than the best ones.
    assert models[0].get_n_leaves() > DecisionTreeClassifier().fit(X, y).get_n_leaves()


def test_best_splitter_is_the_other_tree():
    X, y = load_iris(return_X_y=True)
    extra = ExtraTreeClassifier(splitter="best", max_features=None).fit(X, y)
    plain = DecisionTreeClassifier().fit(X, y)
    np.testing.assert_array_equal(extra.tree_.threshold, plain.tree_.threshold)
