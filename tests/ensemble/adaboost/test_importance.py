"""Importances of features over the learners of an ensemble."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.ensemble import AdaBoostClassifier
from margin.linear import LogisticRegression


def test_importances_are_averaged_by_votes():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    model = AdaBoostClassifier(n_estimators=15, random_state=0).fit(X, X[:, 1] + X[:, 2] > 0)
    each = np.array([m.feature_importances_ for m in model.estimators_])
    votes = model.estimator_weights_
    assert_allclose(model.feature_importances_, votes @ each / votes.sum())
    assert model.feature_importances_[[1, 2]].sum() > 0.6


def test_learners_without_importances_have_none():
    model = AdaBoostClassifier(LogisticRegression(), n_estimators=2).fit([[0], [1]], [0, 1])
    with pytest.raises(AttributeError, match="learners that have them, got LogisticRegression"):
        _ = model.feature_importances_
