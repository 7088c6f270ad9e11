"""Stacking: classifier (tree.19)."""

import numpy as np
from numpy.testing import assert_allclose
from sklearn import ensemble
from sklearn.model_selection import cross_val_predict

from margin.ensemble import StackingClassifier
from margin.linear import GaussianNB, LogisticRegression

RNG = np.random.default_rng(0)
X = RNG.normal(size=(80, 3))
Y = np.array(["no", "yes"])[(X[:, 0] + RNG.normal(size=80) > 0).astype(int)]
MEMBERS = [("logistic", LogisticRegression()), ("bayes", GaussianNB())]


def test_the_final_classifier_learns_from_rows_unseen_by_the_members():
    """tree.19: out-of-fold predictions, by hand."""
    model = StackingClassifier(MEMBERS, LogisticRegression(), cv=4).fit(X, Y)
    for j, (_, member) in enumerate(MEMBERS):
        share = cross_val_predict(member, X, Y, cv=4, method="predict_proba")
        assert_allclose(model.out_of_fold_[:, j], share[:, 1])
    alone = LogisticRegression().fit(model.out_of_fold_, np.searchsorted(model.classes_, Y))
    assert_allclose(model.final_estimator_.coef_, alone.coef_)
    theirs = ensemble.StackingClassifier(MEMBERS, LogisticRegression(), cv=4).fit(X, Y)
    assert_allclose(model.predict_proba(X), theirs.predict_proba(X))
    assert model.fit_report_.n_iter == 3


def test_predictions_do_not_overwrite_what_was_learnt_from():
    model = StackingClassifier(MEMBERS, LogisticRegression(), passthrough=True).fit(X, Y)
    kept = model.out_of_fold_
    model.predict(X[:7])
    assert model.out_of_fold_ is kept
    assert_allclose(kept[:, 2:], X)
    model.fit(X[:50], Y[:50])
    assert model.out_of_fold_.shape == (50, 5)
