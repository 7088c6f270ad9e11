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
    for bad in (LogisticRegression, "logistic", object()):
        with pytest.raises(ValueError, match="estimator must be a classifier, a regressor or None"):
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


PAIRED = [OneVsRestClassifier, OneVsOneClassifier]


@pytest.mark.parametrize("reduction", PAIRED)
def test_batches_add_up_to_the_whole(reduction):
    """linear.49: classifiers that learn from sums see the same whether at once or in turns."""
    X, y = load_iris(return_X_y=True)
    rows = np.random.default_rng(0).permutation(len(y))
    whole = reduction(GaussianNB()).fit(X, y)
    parts = reduction(GaussianNB())
    for k, batch in enumerate(np.array_split(rows, 4)):
        parts.partial_fit(X[batch], y[batch], classes=[0, 1, 2] if k == 0 else None)
    np.testing.assert_array_equal(parts.predict(X), whole.predict(X))
    assert parts.n_classes_ == 3
    assert parts.training_cost_ == whole.training_cost_
    with pytest.raises(ValueError, match=f"{reduction.__name__}: y must be among .* Mini-batch"):
        parts.partial_fit(X[:2], [0, 7])
    with pytest.raises(ValueError, match="classes must be passed on the first call"):
        reduction(GaussianNB()).partial_fit(X, y)
    assert not hasattr(reduction(LogisticRegression()), "partial_fit")


@pytest.mark.parametrize("reduction", PAIRED)
def test_precomputed_kernels_are_cut_to_the_rows_of_a_classifier(reduction):
    X, y = load_iris(return_X_y=True)
    direct = reduction(SVC(kernel="linear")).fit(X, y)
    model = reduction(SVC(kernel="precomputed")).fit(X @ X.T, y)
    assert model.__sklearn_tags__().input_tags.pairwise
    np.testing.assert_array_equal(model.predict(X @ X.T), direct.predict(X))


def test_regressors_are_told_the_sides_as_zero_and_one():
    X, y = load_iris(return_X_y=True)
    for reduction in PAIRED:
        assert reduction(Ridge()).fit(X, y).score(X, y) > 0.8


def test_parameters_of_the_fit_reach_the_classifiers():
    X, y = load_iris(return_X_y=True)
    start = np.zeros(4)
    model = OneVsOneClassifier(Recorder()).fit(X, y, per_row=np.arange(150), start=start)
    for classifier, rows in zip(model.estimators_, ((0, 100), (0, 150), (50, 150)), strict=True):
        assert len(classifier.seen_["per_row"]) == 100
        assert classifier.seen_["per_row"][0] == rows[0]
        assert classifier.seen_["start"] is start


class Recorder(LogisticRegression):
    def fit(self, X, y, **given):
        self.seen_ = given
        return super().fit(X, y)
