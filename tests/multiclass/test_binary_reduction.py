import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from margin.linear import LogisticRegression, Ridge
from margin.multiclass import OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier
from margin.multiclass._binary_reduction import BinaryReduction

X, Y = load_iris(return_X_y=True)
REDUCTIONS = [OneVsOneClassifier, OneVsRestClassifier, OutputCodeClassifier]


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_one_contract(reduction):
    """linear.24, linear.51: code, classifiers, cost, and answers only where they agree."""
    model = reduction().fit(X, Y)
    assert isinstance(model, BinaryReduction)
    assert len(model.estimators_) == model.code_.shape[1] == model.training_cost_.n_classifiers
    answer = model.predict_or_reject(X, reject="?")
    sure = answer != "?"
    np.testing.assert_array_equal(answer[sure], model.predict(X)[sure])
    assert 0.5 < sure.mean() <= 1.0


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
