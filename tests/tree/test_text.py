import numpy as np
import pytest

from margin.tree import DecisionTreeClassifier, DecisionTreeRegressor, export_text


def test_rules_of_categories_and_missing_values():
    X = np.array([[0.0], [1], [2], [3]])
    model = DecisionTreeClassifier(categorical_features=[0]).fit(X, [0, 1, 0, 1])
    text = export_text(model, feature_names=["colour"])
    assert "colour in {0, 2}" in text or "colour in {1, 3}" in text
    gaps = DecisionTreeClassifier().fit([[1.0], [1.0], [np.nan]], [0, 0, 1])
    assert "feature_0 is missing" in export_text(gaps)


def test_truncated_and_weights():
    X = np.arange(8.0)[:, None]
    model = DecisionTreeRegressor().fit(X, X[:, 0] ** 2)
    assert "truncated branch of depth" in export_text(model, max_depth=1)
    two = DecisionTreeClassifier().fit([[0], [1]], [0, 1])
    assert "weights: [1.00, 0.00] class: 0" in export_text(two, show_weights=True)


@pytest.mark.parametrize("bad", [{"max_depth": -1}, {"spacing": 0}, {"decimals": -1}])
def test_refusals(bad):
    model = DecisionTreeClassifier().fit([[0], [1]], [0, 1])
    with pytest.raises(ValueError, match=r"export_text: .* must be at least"):
        export_text(model, **bad)
