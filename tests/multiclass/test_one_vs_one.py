from itertools import combinations

import numpy as np
import pytest
from sklearn import multiclass as peer
from sklearn.datasets import load_digits, load_iris
from sklearn.svm import SVC

from margin.linear import LogisticRegression
from margin.multiclass import OneVsOneClassifier

X, Y = load_iris(return_X_y=True)


def duels(model, X):
    """Outcome of every duel by asking every classifier: True if the first class wins."""
    return np.column_stack([e.predict(X) == 0 for e in model.estimators_])


@pytest.fixture(scope="module")
def digits():
    rows, y = load_digits(return_X_y=True)
    rows = rows[:, 20:40] / 16
    return rows, y, OneVsOneClassifier().fit(rows[::3], y[::3])


def test_every_pair_is_trained_on_its_own_rows():
    """linear.49"""
    model = OneVsOneClassifier().fit(X, Y)
    for (i, j), estimator in zip(combinations(range(3), 2), model.estimators_, strict=True):
        rows = (i == Y) | (j == Y)
        expected = LogisticRegression().fit(X[rows], Y[rows] == j)
        np.testing.assert_allclose(estimator.coef_, expected.coef_)
    assert model.training_cost_.rows == (100, 100, 100)
    assert "one-vs-rest would train 3 classifiers on 450 rows in all" in model.fit_report_.notes


def test_training_cost_of_ten_classes(digits):
    """linear.49: 45 classifiers instead of 10, on fewer rows in all."""
    _, y, model = digits
    assert model.training_cost_.n_classifiers == len(model.estimators_) == 45
    assert model.training_cost_.total_rows == 9 * len(y[::3])


def test_most_votes_win_and_ties_go_to_the_surest(digits):
    """linear.49"""
    rows, _, model = digits
    won = np.zeros((len(rows), 10), dtype=int)
    sure = np.zeros((len(rows), 10))
    for column, (i, j) in enumerate(model.pairs_):
        score = model.estimators_[column].decision_function(rows)
        won[score > 0, j] += 1
        won[score <= 0, i] += 1
        sure[:, j] += score
        sure[:, i] -= score
    answer = model.predict(rows)
    np.testing.assert_array_equal(won[np.arange(len(rows)), answer], won.max(axis=1))
    tied = np.flatnonzero((won == won.max(axis=1, keepdims=True)).sum(axis=1) > 1)
    assert len(tied) > 0
    for r in tied:
        top = np.flatnonzero(won[r] == won[r].max())
        assert answer[r] == top[sure[r, top].argmax()]
    np.testing.assert_array_equal(np.round(model.decision_function(rows)), won)


def test_agrees_with_scikit_learn():
    """linear.49"""
    ours = OneVsOneClassifier().fit(X, Y)
    theirs = peer.OneVsOneClassifier(LogisticRegression()).fit(X, Y)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_graph_asks_one_classifier_less_than_there_are_classes(digits):
    """linear.50: C - 1 evaluations, each between the first and the last class left."""
    rows, _, model = digits
    graph = OneVsOneClassifier(decision="dag").fit(rows[::3], model.predict(rows[::3]))
    path = graph.decision_path(rows)
    assert path.shape == (len(rows), 9)
    outcome = duels(graph, rows)
    for r, steps in enumerate(path):
        left = list(range(10))
        for column in steps:
            assert tuple(graph.pairs_[column]) == (left[0], left[-1])
            left.pop(-1 if outcome[r, column] else 0)
        assert [graph.predict(rows[r : r + 1])[0]] == left if r < 5 else len(left) == 1


def test_number_of_rows_each_classifier_sees_in_the_graph(digits):
    """linear.50: no classifier is asked about rows that do not reach it."""
    rows, y, _ = digits
    seen = []

    class Counting(LogisticRegression):
        def decision_function(self, X):
            seen.append(X.shape[0])
            return super().decision_function(X)

    graph = OneVsOneClassifier(estimator=Counting(), decision="dag").fit(rows[::3], y[::3])
    graph.predict(rows)
    assert sum(seen) == 9 * len(rows)
    seen.clear()
    graph.set_params(decision="votes").predict(rows)
    assert sum(seen) == 45 * len(rows)


def test_graph_and_votes_agree_where_a_class_wins_all_its_duels(digits):
    """linear.50"""
    rows, y, votes = digits
    graph = OneVsOneClassifier(decision="dag").fit(rows[::3], y[::3])
    clear = votes.predict_or_reject(rows) != np.array(None)
    assert 0.5 < clear.mean() < 1
    np.testing.assert_array_equal(graph.predict(rows)[clear], votes.predict(rows)[clear])
    assert not hasattr(graph, "decision_function")


def test_rejects_unless_one_class_wins_all_its_duels(digits):
    """linear.24: by the pattern of the votes."""
    rows, _, model = digits
    won = np.round(model.decision_function(rows))
    answer = model.predict_or_reject(rows, reject=-1)
    expected = np.where(won.max(axis=1) == 9, won.argmax(axis=1), -1)
    np.testing.assert_array_equal(answer, expected)


@pytest.mark.parametrize("decision", ["votes", "dag"])
def test_two_classes_are_one_binary_problem(decision):
    rows, y = X[50:], np.array(["no", "yes"])[Y[50:] - 1]
    model = OneVsOneClassifier(decision=decision).fit(rows, y)
    plain = LogisticRegression().fit(rows, y)
    np.testing.assert_array_equal(model.predict(rows), plain.predict(rows))
    if decision == "votes":
        np.testing.assert_allclose(
            model.decision_function(rows), plain.decision_function(rows), atol=1e-6
        )


def test_kernel_machines_and_jobs():
    one = OneVsOneClassifier(estimator=SVC()).fit(X, Y)
    two = OneVsOneClassifier(estimator=SVC(), n_jobs=2).fit(X, Y)
    np.testing.assert_array_equal(one.decision_function(X), two.decision_function(X))
    np.testing.assert_array_equal(one.predict(X), SVC().fit(X, Y).predict(X))


def test_one_class_is_no_pair():
    with pytest.raises(ValueError, match="no pair when only one class is present, got \\['a'\\]"):
        OneVsOneClassifier().fit(X[:5], ["a"] * 5)
