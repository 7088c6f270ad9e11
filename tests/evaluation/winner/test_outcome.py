"""What is explained."""

import numpy as np
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.svm import LinearSVC

from margin.evaluation import Metric
from margin.evaluation.winner._outcome import outcome

X = np.random.default_rng(0).normal(size=(60, 2))
Y = np.where(X[:, 0] > 0.3, "yes", "no")
METRIC = Metric("accuracy", ("no", "yes"), "yes")


def test_numbers_probabilities_and_answers():
    line = LinearRegression().fit(X, X[:, 0])
    told = outcome(line, Metric("R²"), "y", classification=False)
    np.testing.assert_array_equal(told(X), line.predict(X))
    logit = LogisticRegression().fit(X, Y)
    told = outcome(logit, METRIC, "y", classification=True)
    np.testing.assert_array_equal(told(X), logit.predict_proba(X)[:, 1])
    assert told.name == "probability of y = yes"
    machine = LinearSVC().fit(X, Y)
    told = outcome(machine, METRIC, "y", classification=True)
    np.testing.assert_array_equal(told(X), machine.predict(X) == "yes")
    assert told.name == "share answered y = yes"


def test_a_class_that_the_model_never_saw():
    logit = LogisticRegression().fit(X, Y)
    assert outcome(logit, Metric("accuracy", (), "maybe"), "y", classification=True).label == "yes"
