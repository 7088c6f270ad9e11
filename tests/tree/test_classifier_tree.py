import numpy as np

from margin.tree import DecisionTreeClassifier


def test_logarithms_of_shares():
    model = DecisionTreeClassifier(max_depth=1).fit([[0], [1], [1]], [0, 0, 1])
    np.testing.assert_allclose(
        model.predict_log_proba([[0], [1]]), [[0, -np.inf], [np.log(0.5), np.log(0.5)]]
    )


def test_weights_of_classes_move_the_boundary():
    X = [[0], [1], [1], [1]]
    y = [0, 0, 1, 1]
    assert DecisionTreeClassifier().fit(X, y).predict([[1]])[0] == 1
    heavy = DecisionTreeClassifier(class_weight={0: 10, 1: 1}).fit(X, y)
    assert heavy.predict([[1]])[0] == 0


def test_shares_of_many_outputs_are_lists():
    Y = np.array([[0, 1], [1, 2], [1, 0]])
    model = DecisionTreeClassifier().fit([[0], [1], [2]], Y)
    np.testing.assert_array_equal(model.predict([[0], [1], [2]]), Y)
    assert isinstance(model.predict_log_proba([[0]]), list)
    np.testing.assert_array_equal(model.n_classes_, [2, 3])
