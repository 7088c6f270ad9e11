"""Weights that no mean can be taken with."""

import numpy as np
import pytest

from margin.ensemble import VotingClassifier, VotingRegressor
from margin.linear import GaussianNB, LogisticRegression, Ridge

X = np.random.default_rng(0).normal(size=(40, 2))
CLASSIFIERS = [("logistic", LogisticRegression()), ("bayes", GaussianNB())]
REGRESSORS = [("weak", Ridge(100.0)), ("strong", Ridge())]


@pytest.mark.parametrize("weights", [[0, 0], [0.0, -1.0], [np.nan, 1.0], np.array([0.0, np.inf])])
@pytest.mark.parametrize("voting", ["hard", "soft"])
def test_refused_before_any_work(weights, voting):
    classifier = VotingClassifier(CLASSIFIERS, voting=voting, weights=weights)
    with pytest.raises(ValueError, match="VotingClassifier: weights must be finite with a sum"):
        classifier.fit(X, X[:, 0] > 0)
    with pytest.raises(ValueError, match="VotingRegressor: weights must be finite with a sum"):
        VotingRegressor(REGRESSORS, weights=weights).fit(X, X[:, 0])
    assert not hasattr(classifier, "estimators_")


def test_only_members_that_vote_count():
    model = VotingRegressor(REGRESSORS, weights=[0, 1]).fit(X, X[:, 0])
    np.testing.assert_allclose(model.predict(X), model.estimators_[1].predict(X))
    with pytest.raises(ValueError, match="sum above 0"):
        model.set_params(strong="drop").fit(X, X[:, 0])
    assert model.set_params(strong="drop", weights=[1, 0]).fit(X, X[:, 0]).predict(X).shape == (40,)


@pytest.mark.parametrize("weights", [[1], "heavy", 3])
def test_what_is_no_list_of_weights_keeps_its_own_words(weights):
    with pytest.raises(ValueError, match="weights"):
        VotingRegressor(REGRESSORS, weights=weights).fit(X, X[:, 0])
