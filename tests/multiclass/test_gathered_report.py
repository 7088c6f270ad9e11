from dataclasses import replace

import pytest
from sklearn.datasets import load_iris
from sklearn.svm import LinearSVC

from margin.core import Certificate, Status
from margin.linear import LogisticRegression
from margin.multiclass import OneVsOneClassifier, OneVsRestClassifier
from margin.multiclass._gathered_report import gathered_report

X, Y = load_iris(return_X_y=True)


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


def test_a_certificate_of_tolerance_zero_is_gathered():
    """A kernel perceptron without errors proves it with a tolerance of zero (linear.49)."""
    model = OneVsOneClassifier(estimator=LogisticRegression()).fit(X, Y)
    proof = Certificate("share of errors", 0.0, 0.0)
    for inner in model.estimators_:
        inner.fit_report_ = replace(inner.fit_report_, certificate=proof)
    report = gathered_report("Model", model.estimators_, model.training_cost_)
    assert report.certificate == proof
    assert report.estimator == "Model"
