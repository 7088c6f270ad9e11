import numpy as np
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from margin.linear import LogisticRegression
from margin.multiclass import _binary_classifiers as binary

X, Y = load_iris(return_X_y=True)


def test_a_column_is_fitted_on_the_rows_of_its_classes():
    """linear.51"""
    weight = np.arange(150) % 4 + 1.0
    classifier = binary.fit_side(LogisticRegression(), X, np.array([1, 0, -1])[Y], weight)
    rows = Y != 1
    expected = LogisticRegression().fit(X[rows], Y[rows] == 0, sample_weight=weight[rows])
    np.testing.assert_array_equal(classifier.coef_, expected.coef_)


def test_signed_scores_of_whatever_a_classifier_has():
    y = Y[Y < 2]
    rows = X[Y < 2] + np.random.default_rng(0).normal(scale=2.0, size=(100, 4))
    logistic = LogisticRegression().fit(rows, y)
    log_odds = binary.signed_score(logistic, rows)
    np.testing.assert_array_equal(log_odds, logistic.decision_function(rows))
    np.testing.assert_allclose(binary.posterior(logistic, rows), 1 / (1 + np.exp(-log_odds)))
    tree = DecisionTreeClassifier(random_state=0).fit(rows, y)
    scores = binary.signed_score(tree, rows)
    assert np.isfinite(scores).all()
    np.testing.assert_array_equal(scores > 0, tree.predict(rows) == 1)
    np.testing.assert_array_equal(binary.hard_vote(tree, rows) > 0, scores > 0)


def test_signed_distance_is_the_distance_from_the_hyperplane():
    """linear.48: norm-one scores; the projection along w lies on the boundary."""
    model = LogisticRegression().fit(X[:100], Y[:100])
    far = binary.signed_distance(model, X)
    unit = model.coef_[0] / np.linalg.norm(model.coef_)
    np.testing.assert_allclose(model.decision_function(X - far[:, None] * unit), 0, atol=1e-9)
    model.coef_ = sparse.csr_array(model.coef_)
    np.testing.assert_allclose(binary.signed_distance(model, X), far)
    model.coef_ = np.zeros((1, 4))
    np.testing.assert_array_equal(binary.signed_distance(model, X), model.intercept_[0])


def test_columns_in_order_whatever_the_number_of_threads():
    """linear.51"""
    code = np.array([[1, 1], [-1, 0], [0, -1]])
    one, two = (
        binary.fit_columns(LogisticRegression(), X, Y, None, code, n_jobs) for n_jobs in (1, 2)
    )
    for a, b, column in zip(one, two, code.T, strict=True):
        np.testing.assert_array_equal(a.coef_, b.coef_)
        alone = binary.fit_side(LogisticRegression(), X, column[Y], None)
        np.testing.assert_array_equal(a.coef_, alone.coef_)


def test_an_empty_side_leaves_a_constant():
    always = binary.fit_side(LogisticRegression(), X, np.ones(150), None)
    never = binary.fit_side(LogisticRegression(), X, np.where(Y == 0, -1, 0), None)
    np.testing.assert_array_equal(always.predict(X[:2]), [1, 1])
    np.testing.assert_array_equal(never.predict_proba(X[:2]), [[1, 0], [1, 0]])
    np.testing.assert_array_equal(binary.signed_distance(never, X[:2]), [-1, -1])
