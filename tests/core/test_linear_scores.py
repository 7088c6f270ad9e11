"""Scores and labels of linear classifiers, against sums written out."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from margin.core import best_label, linear_scores, two_probabilities
from margin.linear import LeastSquaresClassifier, LogisticRegression, Perceptron, SGDClassifier

MODELS = [LeastSquaresClassifier, LogisticRegression, Perceptron, SGDClassifier]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_scores_are_sums_and_the_highest_wins(model, n_classes):
    rng = np.random.default_rng(0)
    y = np.arange(60) % n_classes
    X = rng.normal(size=(60, 3)) + np.eye(3)[y] * 3
    names = np.array(["c", "a", "b"])[:n_classes]
    fitted = model().fit(X, names[y])
    by_hand = np.array(
        [
            [sum(w * v for w, v in zip(coef, row, strict=True)) + b for row in X]
            for coef, b in zip(fitted.coef_, fitted.intercept_, strict=True)
        ]
    ).T
    scores = fitted.decision_function(X)
    assert_allclose(scores, by_hand[:, 0] if n_classes == 2 else by_hand, atol=1e-10)
    assert_allclose(fitted.decision_function(sparse.csr_array(X)), scores, atol=1e-10)
    ahead = [int(s[0] > 0) if n_classes == 2 else int(np.argmax(s)) for s in by_hand]
    assert_array_equal(fitted.predict(X), fitted.classes_[ahead])


def test_a_score_of_zero_is_the_first_class():
    labels = np.array([4, 9])
    assert best_label(labels, np.array([0.0, -0.0, 1e-300])).tolist() == [4, 4, 9]
    assert best_label(labels, np.empty(0)).shape == (0,)


def test_one_row_of_coefficients_is_one_score():
    rows, coef = np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([[1.0, -1.0], [2.0, 0.0]])
    assert_array_equal(linear_scores(rows, coef[:1], np.array([0.5])), [-0.5, -0.5])
    assert_array_equal(linear_scores(rows, coef, np.zeros(2)), [[-1.0, 2.0], [-1.0, 0.0]])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_probabilities_of_two_classes(dtype):
    odds = np.array([-np.inf, -80.0, -1.0, 0.0, 2.0, 80.0, np.inf, np.nan], dtype=dtype)
    p = two_probabilities(odds)
    assert p.dtype == dtype
    with np.errstate(over="ignore", invalid="ignore"):
        assert_allclose(
            p[:, 1], 1 / (1 + np.exp(-odds)), rtol=1e-6 if dtype is np.float32 else 1e-15
        )
        assert_allclose(
            p[:, 0], 1 / (1 + np.exp(odds)), rtol=1e-6 if dtype is np.float32 else 1e-15
        )
    assert two_probabilities(odds[:0]).shape == (0, 2)
    assert_array_equal(two_probabilities(odds[::2]), p[::2])
