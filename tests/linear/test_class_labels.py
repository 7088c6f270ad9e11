import numpy as np
import pytest

from margin.linear import Perceptron
from margin.linear._class_labels import announced_labels, class_factors, label_codes

X = np.array([[0.0], [1.0], [2.0]])


def test_codes_are_positions_among_the_announced_labels():
    labels = announced_labels("Model", None, ["d", "a", "b"])
    assert labels.tolist() == ["a", "b", "d"]
    assert label_codes("Model", labels, np.array(["b", "d", "b"])).tolist() == [1, 2, 1]


def test_first_call_needs_the_classes():
    words = r"^{}: classes must be passed on the first call to partial_fit, got None$"
    with pytest.raises(ValueError, match=words.format("Model")):
        announced_labels("Model", None, None)
    with pytest.raises(ValueError, match=words.format("Perceptron")):
        Perceptron().partial_fit(X, [0, 1, 0])


def test_later_calls_are_held_to_the_first():
    model = Perceptron().partial_fit(X, [0, 1, 2], classes=[0, 1, 2])
    model.partial_fit(X, [0, 0, 1], classes=[2, 1, 0])
    with pytest.raises(ValueError, match=r"^Perceptron: classes must be those of the first call"):
        model.partial_fit(X, [0, 1, 0], classes=[0, 1])
    for label in (-1, 1.5, 9):
        with pytest.raises(
            ValueError, match=r"^Perceptron: y must be among the classes \[0, 1, 2\], got"
        ):
            model.partial_fit(X, [0, 1, label])


def test_class_factors():
    codes, labels = np.array([0, 0, 0, 1]), np.array(["no", "yes"])
    assert class_factors(None, labels, codes) is None
    assert class_factors({"no": 1.0, "yes": 3.0}, labels, codes).tolist() == [1.0, 1.0, 1.0, 3.0]
    np.testing.assert_allclose(class_factors("balanced", labels, codes), [2 / 3, 2 / 3, 2 / 3, 2.0])
