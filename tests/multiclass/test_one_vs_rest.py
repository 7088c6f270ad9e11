import numpy as np
import pytest
from scipy import sparse
from sklearn import config_context
from sklearn import multiclass as peer
from sklearn.base import clone
from sklearn.datasets import load_iris, load_wine
from sklearn.exceptions import UnsetMetadataPassedError
from sklearn.model_selection import GridSearchCV
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from margin.linear import LogisticRegression
from margin.multiclass import OneVsRestClassifier

X, Y = load_iris(return_X_y=True)


def test_one_classifier_per_class_against_the_rest():
    """linear.48: labels +1 for the class, -1 for all others; the highest score wins."""
    model = OneVsRestClassifier().fit(X, Y)
    scores = np.column_stack(
        [LogisticRegression().fit(X, k == Y).decision_function(X) for k in range(3)]
    )
    np.testing.assert_allclose(model.decision_function(X), scores)
    np.testing.assert_array_equal(model.predict(X), scores.argmax(axis=1))
    assert model.training_cost_.rows == (150, 150, 150)


def test_agrees_with_scikit_learn():
    """linear.48, probabilities too."""
    X, y = load_wine(return_X_y=True)
    ours = OneVsRestClassifier().fit(X, y)
    theirs = peer.OneVsRestClassifier(LogisticRegression()).fit(X, y)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X))


@pytest.mark.parametrize("scores", ["decision", "norm-one"])
def test_boundary_is_a_piece_of_a_hyperplane(scores):
    """linear.48: the scores of classes i and j are equal where (w_i - w_j) x + b_i - b_j = 0."""
    model = OneVsRestClassifier(scores=scores).fit(X, Y)
    w = np.array([estimator.coef_[0] for estimator in model.estimators_])
    b = np.array([estimator.intercept_[0] for estimator in model.estimators_])
    if scores == "norm-one":
        norm = np.linalg.norm(w, axis=1)
        w, b = w / norm[:, None], b / norm
    normal, offset = w[1] - w[2], b[1] - b[2]
    on = X - ((X @ normal + offset) / (normal @ normal))[:, None] * normal
    scores = model.decision_function(on)
    np.testing.assert_allclose(scores[:, 1], scores[:, 2], atol=1e-10)


def test_norm_one_makes_scores_of_different_scale_comparable():
    """linear.48: a classifier whose values are a thousand times too large wins no more rows."""

    class Loud(LogisticRegression):
        """Scales its function, not its boundary, where the positive class is rare."""

        def fit(self, X, y, sample_weight=None):
            super().fit(X, y, sample_weight)
            if np.mean(y) < 0.2:
                self.coef_, self.intercept_ = 1000 * self.coef_, 1000 * self.intercept_
            return self

    rng = np.random.default_rng(0)
    y = np.repeat([0, 1, 2], [40, 100, 100])
    rows = np.array([[0.0, 3.0], [-1.5, 0.0], [1.5, 0.0]])[y] + rng.normal(size=(240, 2))
    plain = OneVsRestClassifier(scores="norm-one").fit(rows, y)
    loud = OneVsRestClassifier(estimator=Loud(), scores="norm-one").fit(rows, y)
    np.testing.assert_allclose(loud.decision_function(rows), plain.decision_function(rows))
    raw = OneVsRestClassifier(estimator=Loud()).fit(rows, y)
    assert loud.score(rows, y) > raw.score(rows, y)


def test_posterior_scores_are_the_probabilities_of_the_classifiers():
    """linear.48"""
    model = OneVsRestClassifier(scores="posterior").fit(X, Y)
    share = np.column_stack([e.predict_proba(X)[:, 1] for e in model.estimators_])
    np.testing.assert_array_equal(model.decision_function(X), share)
    np.testing.assert_allclose(model.predict_proba(X), share / share.sum(axis=1, keepdims=True))
    tree = OneVsRestClassifier(
        estimator=DecisionTreeClassifier(max_depth=2, random_state=0), scores="posterior"
    )
    assert tree.fit(X, Y).score(X, Y) > 0.9


def test_hard_votes_answer_only_when_exactly_one_classifier_fires():
    """linear.48 and linear.24: "don't know" for no or several votes."""
    model = OneVsRestClassifier(scores="hard").fit(X, Y)
    fired = np.column_stack([e.predict(X) for e in model.estimators_])
    np.testing.assert_array_equal(model.decision_function(X), fired)
    answer = model.predict_or_reject(X, reject="don't know")
    for votes, said in zip(fired, answer, strict=True):
        assert said == (votes.argmax() if votes.sum() == 1 else "don't know")
    assert 0 < np.sum(answer == "don't know") < 75
    for scores in ("decision", "posterior", "norm-one"):
        other = OneVsRestClassifier(scores=scores).fit(X, Y)
        np.testing.assert_array_equal(other.predict_or_reject(X, reject="don't know"), answer)


@pytest.mark.parametrize("scores", ["decision", "posterior", "hard", "norm-one"])
def test_two_classes_are_one_binary_problem(scores):
    rows, y = X[50:], np.array(["no", "yes"])[Y[50:] - 1]
    model = OneVsRestClassifier(scores=scores).fit(rows, y)
    plain = LogisticRegression().fit(rows, y)
    assert len(model.estimators_) == 1
    np.testing.assert_array_equal(model.predict(rows), plain.predict(rows))
    np.testing.assert_array_equal(model.decision_function(rows) > 0, plain.predict(rows) == "yes")
    assert (model.predict_or_reject(rows) == plain.predict(rows)).all()
    if scores in ("decision", "posterior"):
        np.testing.assert_allclose(model.predict_proba(rows), plain.predict_proba(rows))


def test_probabilities_are_offered_only_where_they_mean_something():
    assert hasattr(OneVsRestClassifier(), "predict_proba")
    assert not hasattr(OneVsRestClassifier(scores="norm-one"), "predict_proba")
    assert not hasattr(OneVsRestClassifier(estimator=LinearSVC()), "predict_proba")
    with pytest.raises(ValueError, match=r"scores must be another choice .* without predict_proba"):
        OneVsRestClassifier(estimator=LinearSVC(), scores="posterior").fit(X, Y)
    with pytest.raises(ValueError, match=r"scores must be another choice .* without coef_"):
        OneVsRestClassifier(estimator=DecisionTreeClassifier(), scores="norm-one").fit(X, Y)


def test_weights_sparse_input_and_jobs():
    weight = np.arange(150) % 3
    weighted = OneVsRestClassifier().fit(X, Y, sample_weight=weight)
    rows = np.repeat(np.arange(150), weight)
    repeated = OneVsRestClassifier().fit(X[rows], Y[rows])
    np.testing.assert_allclose(
        weighted.decision_function(X), repeated.decision_function(X), rtol=1e-4, atol=1e-4
    )
    dense = OneVsRestClassifier().fit(X, Y)
    thin = OneVsRestClassifier(n_jobs=2).fit(sparse.csr_array(X), Y)
    np.testing.assert_allclose(thin.decision_function(X), dense.decision_function(X), rtol=1e-4)


def test_nested_parameters_reach_the_base_classifier():
    model = OneVsRestClassifier(estimator=LogisticRegression(C=0.5))
    assert model.get_params()["estimator__C"] == 0.5
    copy = clone(model).set_params(estimator__C=3.0)
    assert copy.estimator.C == 3.0
    assert model.estimator.C == 0.5
    copy.fit(X, Y)
    assert all(e.C == 3.0 for e in copy.estimators_)
    search = GridSearchCV(model, {"estimator__C": [1e-3, 10.0]}, cv=3).fit(X, Y)
    assert search.best_params_ == {"estimator__C": 10.0}


LABELS = (X[:, None, :2] > np.array([[4.9, 2.8], [5.8, 3.0], [6.5, 3.4]])).any(axis=2).astype(int)


@pytest.mark.parametrize("scores", ["decision", "posterior", "hard", "norm-one"])
@pytest.mark.parametrize("make", [np.array, sparse.csr_array, sparse.lil_matrix])
def test_sets_of_labels_are_one_decision_each(scores, make):
    model = OneVsRestClassifier(scores=scores).fit(X, make(LABELS))
    alone = [LogisticRegression().fit(X, y).predict(X) for y in LABELS.T]
    answer = model.predict(X)
    assert sparse.issparse(answer) == sparse.issparse(make(LABELS))
    np.testing.assert_array_equal(
        answer.toarray() if sparse.issparse(answer) else answer, np.column_stack(alone)
    )
    assert model.multilabel_
    assert model.training_cost_.rows == (150, 150, 150)


def test_probabilities_of_sets_need_not_sum_to_one():
    model = OneVsRestClassifier().fit(X, LABELS)
    alone = [LogisticRegression().fit(X, y).predict_proba(X)[:, 1] for y in LABELS.T]
    np.testing.assert_allclose(model.predict_proba(X), np.column_stack(alone))
    np.testing.assert_array_equal(model.decision_function(X) > 0, model.predict(X))
    with pytest.raises(ValueError, match="predict_or_reject needs one class per row"):
        model.predict_or_reject(X)


def test_weights_of_sets_count_rows():
    weight = np.arange(150) % 3 + 1
    weighted = OneVsRestClassifier().fit(X, LABELS, sample_weight=weight)
    repeated = OneVsRestClassifier().fit(np.repeat(X, weight, 0), np.repeat(LABELS, weight, 0))
    np.testing.assert_allclose(
        weighted.decision_function(X), repeated.decision_function(X), rtol=1e-5, atol=1e-6
    )


def test_labels_that_are_always_on_or_off():
    y = np.column_stack([LABELS[:, 0], np.ones(150), np.zeros(150)])
    with pytest.warns(UserWarning, match="Label .* is present in all training examples") as told:
        model = OneVsRestClassifier().fit(X, y)
    assert [str(w.message).split("Label ")[1].split(" is")[0] for w in told] == ["1", "not 2"]
    np.testing.assert_array_equal(model.predict(X)[:, 1:], y[:, 1:])
    np.testing.assert_array_equal(model.predict_proba(X)[:, 1:], y[:, 1:])


def test_one_class_is_the_answer():
    model = OneVsRestClassifier().fit(X[:5], ["a"] * 5)
    assert "y holds one class: it is the answer" in model.fit_report_.notes
    assert model.predict(X[:2]).tolist() == ["a", "a"]
    np.testing.assert_array_equal(model.predict_proba(X[:2]), [[1, 0], [1, 0]])
    assert not model.multilabel_


def test_routed_weights_reach_the_classifiers_that_ask_for_them():
    weight = np.arange(150) % 3 + 1.0
    with config_context(enable_metadata_routing=True):
        asking = LogisticRegression().set_fit_request(sample_weight=True)
        routed = OneVsRestClassifier(asking).fit(X, Y, sample_weight=weight)
        with pytest.raises(UnsetMetadataPassedError):
            OneVsRestClassifier(LogisticRegression()).fit(X, Y, sample_weight=weight)
    plain = OneVsRestClassifier().fit(X, Y, sample_weight=weight)
    np.testing.assert_array_equal(routed.decision_function(X), plain.decision_function(X))
