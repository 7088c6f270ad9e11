import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline

from margin.ensemble.boosting._init_model import (
    check_init,
    constant_classifier,
    constant_regressor,
    fitted_init,
)

X, y = np.arange(6.0).reshape(-1, 1), np.array([1.0, 1, 2, 3, 3, 5])


def test_what_may_come_first():
    for init in (None, "zero", LinearRegression()):
        check_init("Model", init, "predict")
    for init, verb in (("one", "predict"), (LinearRegression(), "predict_proba"), (3, "predict")):
        with pytest.raises(ValueError, match=f"Model: init must be .* fit and {verb}"):
            check_init("Model", init, verb)


def test_weights_are_passed_on_or_refused():
    weight = np.arange(1.0, 7.0)
    model = LinearRegression()
    own = fitted_init("Model", model, X, y, weight)
    assert own is not model
    expected = LinearRegression().fit(X, y, sample_weight=weight).predict(X)
    np.testing.assert_allclose(own.predict(X), expected)
    with pytest.raises(ValueError, match="Pipeline does not support sample weights"):
        fitted_init("Model", make_pipeline(LinearRegression()), X, y, weight)
    with pytest.raises(ValueError, match="expected"):
        fitted_init("Model", model, X, y, weight[:3])


def test_constants():
    assert constant_regressor(1.5, 2).predict(np.zeros((3, 2))).tolist() == [1.5] * 3
    shares = constant_classifier(np.array([3, 7]), np.array([0.9, 0.1]), 2)
    np.testing.assert_allclose(shares.predict_proba([[0, 0]]), [[0.9, 0.1]])
