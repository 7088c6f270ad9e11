import pytest
from sklearn.linear_model import LinearRegression

from margin.tree import DecisionTreeClassifier, export_text


def test_a_model_without_tree():
    with pytest.raises(ValueError, match="decision_tree must be a fitted tree"):
        export_text(LinearRegression().fit([[0], [1]], [0, 1]))


def test_number_of_names():
    model = DecisionTreeClassifier().fit([[0], [1]], [0, 1])
    with pytest.raises(ValueError, match="feature_names must contain 1 elements, got 2"):
        export_text(model, feature_names=["a", "b"])
    with pytest.raises(ValueError, match="Got 1 while"):
        export_text(model, class_names=["a"])
