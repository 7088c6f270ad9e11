import numpy as np
import pytest

from margin.linear import Perceptron
from margin.linear._known_classes import class_factors, known_classes

X = np.array([[0.0], [1.0], [2.0]])


def test_codes_are_positions_among_the_announced_classes():
    model = Perceptron()
    _, codes, weight = known_classes(model, X, ["b", "d", "b"], ["d", "a", "b"], None)
    assert model.classes_.tolist() == ["a", "b", "d"]
    assert codes.tolist() == [1, 2, 1]
    assert weight is None


def test_first_call_needs_the_classes():
    with pytest.raises(
        ValueError,
        match=r"^Perceptron: classes must be given in the first call of partial_fit, got None$",
    ):
        known_classes(Perceptron(), X, [0, 1, 0], None, None)


def test_later_calls_are_held_to_the_first():
    model = Perceptron().partial_fit(X, [0, 1, 2], classes=[0, 1, 2])
    model.partial_fit(X, [0, 0, 1], classes=[2, 1, 0])
    with pytest.raises(ValueError, match=r"^Perceptron: classes must be those of the first call"):
        known_classes(model, X, [0, 1, 0], [0, 1], None)
    for label in (-1, 1.5, 9):
        with pytest.raises(ValueError, match=r"^Perceptron: y must hold known classes, got"):
            known_classes(model, X, [0, 1, label], None, None)


def test_class_factors():
    codes = np.array([0, 0, 0, 1])
    model = Perceptron()
    model.classes_ = np.array(["no", "yes"])
    assert class_factors(model, codes) is None
    model.class_weight = {"no": 1.0, "yes": 3.0}
    assert class_factors(model, codes).tolist() == [1.0, 1.0, 1.0, 3.0]
    model.class_weight = "balanced"
    np.testing.assert_allclose(class_factors(model, codes), [2 / 3, 2 / 3, 2 / 3, 2.0])
