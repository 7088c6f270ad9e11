"""The refusal of missing values."""

from importlib import import_module

import numpy as np
import pytest
from sklearn.utils import get_tags

from margin.core.rows._validated import TAKE_NAN
from margin.gp import GaussianProcessRegressor
from margin.linear import Perceptron, Ridge
from margin.neighbors import KernelDensity
from margin.svm import SVC

GAPS = np.array([[0.0], [np.nan], [2.0]])


@pytest.mark.parametrize("name", [name for names in TAKE_NAN.values() for name in names])
def test_those_that_are_named_do_take_gaps(name):
    module, cls = name.rsplit(".", 1)
    model = getattr(import_module(module), cls)()
    assert get_tags(model).input_tags.allow_nan
    X, y = np.tile(GAPS, (20, 1)), np.arange(60) % 2
    assert model.fit(X, y).predict(X).shape == (60,)


@pytest.mark.parametrize(
    ("model", "tasks"),
    [
        (Ridge(), ("regression",)),
        (GaussianProcessRegressor(), ("regression",)),
        (Perceptron(), ("classification",)),
        (SVC(), ("classification",)),
        (KernelDensity(), ("classification", "regression")),
    ],
)
def test_models_of_ours_for_the_same_task_are_named(model, tasks):
    with pytest.raises(ValueError, match=r"^Input X contains NaN\.\n") as told:
        model.fit(GAPS, [0, 1, 0])
    words = str(told.value)
    assert type(model).__name__ in words
    named = {name for names in TAKE_NAN.values() for name in names if name in words}
    assert named == {name for task in tasks for name in TAKE_NAN[task]}
    assert "HistGradientBoosting" not in words
    with pytest.raises(ValueError, match="infinity"):
        model.fit([[np.inf], [0.0]], [0, 1])
