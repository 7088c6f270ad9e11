"""Copies of estimators: what ``clone`` gives, and nothing shared that can change."""

import numpy as np
import pytest
from sklearn import config_context
from sklearn.base import BaseEstimator, clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from margin.core._copies import simple_parameters, unfitted
from margin.linear import Perceptron, Ridge


@pytest.mark.parametrize(
    "model", [Ridge(alpha=0.3), LogisticRegression(C=2.0), make_pipeline(Ridge()), Perceptron()]
)
def test_the_copy_is_the_clone(model):
    copy, expected = unfitted(model), clone(model)
    assert type(copy) is type(expected)
    assert repr(copy) == repr(expected)


def test_nothing_fitted_is_copied():
    model = Ridge().fit([[0.0], [1.0]], [0.0, 1.0])
    assert not hasattr(unfitted(model), "coef_")


def test_parameters_that_can_be_changed_are_not_shared():
    model = Ridge(alpha=np.ones(2))
    assert simple_parameters(model) is None
    assert unfitted(model).alpha is not model.alpha


def test_settings_beside_the_parameters_are_kept():
    with config_context(enable_metadata_routing=True):
        asked = Perceptron().set_fit_request(sample_weight=True)
        assert unfitted(asked)._metadata_request.fit.requests["sample_weight"] is True


def test_an_estimator_with_a_way_of_its_own_takes_it():
    class Own(BaseEstimator):
        def __sklearn_clone__(self):
            return self

    model = Own()
    assert unfitted(model) is model
