"""Log-linear models (graphical.22, graphical.23)."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from margin.graphical import LogLinearModel

RNG = np.random.default_rng(0)
FEATURES = [
    (("a", "b"), RNG.normal(size=(2, 3))),
    ("c", [0.0, 1.0]),
    (("b", "c"), RNG.normal(size=(3, 2))),
]
MODEL = LogLinearModel(FEATURES, [0.5, -1.0, 0.8])


def test_expectations_are_the_gradient_of_log_z():
    """graphical.23"""
    step = 1e-6
    for k in range(3):
        up, down = (
            MODEL.with_weights(MODEL.weights + sign * step * np.eye(3)[k]).log_partition
            for sign in (1, -1)
        )
        assert_allclose(MODEL.expectations()[k], (up - down) / (2 * step), atol=1e-8)


def test_gradient_of_the_likelihood():
    """graphical.22: data minus model expectation, per row."""
    frame = pd.DataFrame({"a": [0, 1, 1], "b": [0, 2, 1], "c": [1, 1, 0]})
    step = 1e-6
    for k in range(3):
        up, down = (
            MODEL.with_weights(MODEL.weights + sign * step * np.eye(3)[k]).log_prob(frame).mean()
            for sign in (1, -1)
        )
        assert_allclose(MODEL.gradient(frame)[k], (up - down) / (2 * step), atol=1e-8)


def test_features_match_at_the_optimum():
    """graphical.23: gradient steps end where the moments agree."""
    frame = pd.DataFrame({"a": [0, 1, 1, 0], "b": [0, 2, 1, 1], "c": [1, 1, 0, 1]})
    model = MODEL
    for _ in range(120):
        model = model.with_weights(model.weights + 0.5 * model.gradient(frame))
    assert_allclose(model.expectations(), model.statistics(frame).mean(axis=0), atol=1e-3)


def test_refusals():
    with pytest.raises(ValueError, match="weights must be 3 finite numbers"):
        LogLinearModel(FEATURES, [1.0])
    with pytest.raises(ValueError, match="features must be finite"):
        LogLinearModel([("a", [np.inf, 0.0])], [1.0])
    with pytest.raises(ValueError, match="rows must be complete"):
        MODEL.statistics({"a": 0})
