from dataclasses import replace

import numpy as np
import pytest
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC, LinearSVC
from sklearn.tree import DecisionTreeClassifier

from margin.core import Certificate, Status
from margin.linear import LogisticRegression, Ridge
from margin.multiclass import OneVsOneClassifier, OneVsRestClassifier
from margin.multiclass import _reduction as reduction

X, Y = load_iris(return_X_y=True)


def test_a_column_is_fitted_on_the_rows_of_its_classes():
    """linear.51"""
    weight = np.arange(150) % 4 + 1.0
    found = reduction.fit_column(LogisticRegression(), X, Y, weight, [1, 0, -1])
    rows = Y != 1
    expected = LogisticRegression().fit(X[rows], Y[rows] == 0, sample_weight=weight[rows])
    np.testing.assert_array_equal(found.coef_, expected.coef_)


def test_signed_scores_of_whatever_a_classifier_has():
    y = Y[Y < 2]
    rows = X[Y < 2] + np.random.default_rng(0).normal(scale=2.0, size=(100, 4))
    logistic = LogisticRegression().fit(rows, y)
    log_odds = reduction.signed_score(logistic, rows)
    np.testing.assert_array_equal(log_odds, logistic.decision_function(rows))
    np.testing.assert_allclose(reduction.posterior(logistic, rows), 1 / (1 + np.exp(-log_odds)))
    tree = DecisionTreeClassifier(random_state=0).fit(rows, y)
    scores = reduction.signed_score(tree, rows)
    assert np.isfinite(scores).all()
    np.testing.assert_array_equal(scores > 0, tree.predict(rows) == 1)
    np.testing.assert_array_equal(reduction.hard_vote(tree, rows) > 0, scores > 0)


def test_signed_distance_is_the_distance_from_the_hyperplane():
    """linear.48: norm-one scores; the projection along w lies on the boundary."""
    model = LogisticRegression().fit(X[:100], Y[:100])
    far = reduction.signed_distance(model, X)
    unit = model.coef_[0] / np.linalg.norm(model.coef_)
    np.testing.assert_allclose(model.decision_function(X - far[:, None] * unit), 0, atol=1e-9)
    model.coef_ = sparse.csr_array(model.coef_)
    np.testing.assert_allclose(reduction.signed_distance(model, X), far)
    model.coef_ = np.zeros((1, 4))
    np.testing.assert_array_equal(reduction.signed_distance(model, X), model.intercept_[0])


def test_report_gathers_the_worst_of_the_inner_reports():
    model = OneVsOneClassifier().fit(X, Y)
    inner = [estimator.fit_report_ for estimator in model.estimators_]
    report = model.fit_report_
    assert report.status is Status.CONVERGED
    assert report.n_iter == sum(r.n_iter for r in inner)
    assert report.objective == pytest.approx(sum(r.objective for r in inner))
    assert report.certificate.value == max(r.certificate.value for r in inner)
    assert report.to_frame()["classifier_rows"].tolist() == [100, 100, 100]
    assert "3 classifiers on 300 rows in all" in report.notes
    with pytest.warns(match="LogisticRegression"):
        model = OneVsOneClassifier(estimator=LogisticRegression(max_iter=1)).fit(X, Y)
    assert model.fit_report_.status is Status.MAX_ITER
    assert model.fit_report_.message.startswith("3 of 3 classifiers: ")
    foreign = OneVsRestClassifier(estimator=LinearSVC()).fit(X, Y).fit_report_
    assert "LinearSVC leaves no report of its own" in foreign.notes


def test_unsuitable_base_classifiers_are_refused():
    for bad in (Ridge(), LogisticRegression, "logistic", object()):
        with pytest.raises(ValueError, match="estimator must be a classifier or None"):
            OneVsRestClassifier(estimator=bad).fit(X, Y)
    unweighted = OneVsRestClassifier(estimator=KNeighborsClassifier())
    unweighted.fit(X, Y)
    with pytest.raises(ValueError, match="estimator must be a classifier that takes sample_weight"):
        unweighted.fit(X, Y, sample_weight=np.ones(150))
    with pytest.raises(ValueError, match="above 0 for some row of class 2"):
        OneVsRestClassifier().fit(X, Y, sample_weight=(Y < 2).astype(float))


def test_tags_follow_the_base_classifier():
    taking_nan = OneVsRestClassifier(estimator=DecisionTreeClassifier(random_state=0))
    holes = np.where(X < 0.3, np.nan, X)
    assert taking_nan.fit(holes, Y).score(holes, Y) > 0.9
    with pytest.raises(ValueError, match="NaN"):
        OneVsRestClassifier().fit(holes, Y)
    assert OneVsOneClassifier(estimator=SVC()).__sklearn_tags__().input_tags.sparse
    assert not OneVsOneClassifier(estimator=GaussianNB()).__sklearn_tags__().input_tags.sparse


def test_a_certificate_of_tolerance_zero_is_gathered():
    """A kernel perceptron without errors proves it with a tolerance of zero (linear.49)."""
    model = OneVsOneClassifier(estimator=LogisticRegression()).fit(X, Y)
    proof = Certificate("share of errors", 0.0, 0.0)
    for inner in model.estimators_:
        inner.fit_report_ = replace(inner.fit_report_, certificate=proof)
    made = reduction.gathered_report(model, model.estimators_, model.training_cost_)
    assert made.certificate == proof
