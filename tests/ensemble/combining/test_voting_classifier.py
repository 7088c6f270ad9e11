"""Voting: classifier."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import ensemble

from margin.core import FitReport
from margin.ensemble import VotingClassifier
from margin.ensemble.combining import _voting_classifier
from margin.ensemble.combining._voting_classifier import most_votes
from margin.linear import GaussianNB, LogisticRegression

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 3))
Y = np.array(["no", "yes"])[(X[:, 0] + RNG.normal(size=80) > 0).astype(int)]
MEMBERS = [("logistic", LogisticRegression()), ("bayes", GaussianNB())]


@pytest.mark.parametrize("voting", ["hard", "soft"])
def test_answers_are_those_of_scikit_learn(voting):
    ours = VotingClassifier(MEMBERS, voting=voting, weights=[1, 2]).fit(X, Y)
    theirs = ensemble.VotingClassifier(MEMBERS, voting=voting, weights=[1, 2]).fit(X, Y)
    assert (ours.predict(X) == theirs.predict(X)).all()
    assert isinstance(ours.fit_report_, FitReport)


def test_soft_votes_are_mean_probabilities_and_members_may_be_dropped():
    model = VotingClassifier(MEMBERS, voting="soft").fit(X, Y)
    shares = [m.predict_proba(X) for m in model.estimators_]
    assert_allclose(model.predict_proba(X), np.mean(shares, axis=0))
    model.set_params(bayes="drop").fit(X, Y)
    assert model.fit_report_.n_iter == 1


def test_a_failed_fit_leaves_the_old_model():
    model = VotingClassifier(MEMBERS).fit(X, Y)
    before = model.estimators_
    with pytest.raises(ValueError, match="inconsistent"):
        model.fit(X, Y[:5])
    assert model.estimators_ is before


@pytest.mark.parametrize("weights", [None, [1, 1, 2, 1], [0.5, 0.0, 0.25, 0.25]])
def test_votes_are_counted_row_by_row(weights, monkeypatch):
    """Ties go to the first class, whatever the number of rows counted at a time."""
    votes = list(np.random.default_rng(1).integers(0, 5, (4, 200)))
    expected = [np.argmax(np.bincount(row, weights)) for row in np.transpose(votes)]
    np.testing.assert_array_equal(most_votes(votes, weights, 5), expected)
    monkeypatch.setattr(_voting_classifier, "_BLOCK", 35)
    np.testing.assert_array_equal(most_votes(votes, weights, 5), expected)
    assert len(most_votes([v[:0] for v in votes], weights, 5)) == 0


def test_votes_without_dropped_members():
    members = [*MEMBERS, ("again", LogisticRegression(C=0.01))]
    settings = {"voting": "hard", "weights": [1, 5, 2]}
    ours = VotingClassifier(members, **settings).set_params(bayes="drop").fit(X, Y)
    theirs = ensemble.VotingClassifier(members, **settings).set_params(bayes="drop").fit(X, Y)
    assert (ours.predict(X) == theirs.predict(X)).all()
