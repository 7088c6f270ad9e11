import numpy as np

from margin.ensemble import ExtraTreesClassifier, RandomForestClassifier


def test_logarithms_and_strings():
    model = RandomForestClassifier(5, random_state=0).fit([[0], [1], [2], [3]], list("aabb"))
    shares = model.predict_proba([[0], [3]])
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(model.predict_log_proba([[0], [3]]), np.log(shares))
    assert set(model.predict([[0], [3]])) <= {"a", "b"}


def test_several_outputs_with_different_classes():
    Y = np.array([[0, 1], [1, 2], [1, 0]])
    model = ExtraTreesClassifier(5, random_state=0).fit([[0], [1], [2]], Y)
    np.testing.assert_array_equal(model.predict([[0], [1], [2]]), Y)
    assert [s.shape for s in model.predict_log_proba([[0]])] == [(1, 2), (1, 3)]
