"""Classes with an order."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

from margin.evaluation import OrderedClassifier

RNG = np.random.default_rng(0)


def levels(n=600):
    x = RNG.normal(size=(n, 2))
    return x, np.digitize(x[:, 0] + 0.5 * RNG.normal(size=n), [-1, 0, 1])


def test_two_classes_are_plain_logistic_regression():
    X, y = levels()
    ours = OrderedClassifier().fit(X, y > 1).predict_proba(X)
    theirs = LogisticRegression(max_iter=1000).fit(X, y > 1).predict_proba(X)
    np.testing.assert_allclose(ours, theirs, atol=1e-9)


def test_probabilities_are_differences_of_those_above():
    X, y = levels()
    model = OrderedClassifier().fit(X, y)
    above = np.column_stack([e.predict_proba(X)[:, 1] for e in model.estimators_])
    p = model.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    falling = (np.diff(above, axis=1) <= 0).all(axis=1)
    np.testing.assert_allclose(p[falling, 0], 1 - above[falling, 0], atol=1e-9)
    np.testing.assert_allclose(p[falling, -1], above[falling, -1], atol=1e-9)
    assert (model.predict(X) == y).mean() > 0.6


def test_words_in_their_own_order():
    X, y = levels()
    words = np.array(["low", "medium", "high", "extreme"])
    model = OrderedClassifier(levels=["low", "medium", "high", "extreme"]).fit(X, words[y])
    plain = OrderedClassifier().fit(X, y)
    assert model.classes_.tolist() == sorted(words)
    column = {label: i for i, label in enumerate(model.classes_)}
    np.testing.assert_allclose(
        model.predict_proba(X)[:, [column[w] for w in words]], plain.predict_proba(X)
    )
    np.testing.assert_array_equal(model.predict(X), words[plain.predict(X)])


def test_questions_that_contradict_one_another_give_no_negative_probability():
    X, y = levels(80)
    p = OrderedClassifier(DecisionTreeClassifier(max_depth=2)).fit(X, y).predict_proba(X)
    assert p.min() >= 0
    np.testing.assert_allclose(p.sum(axis=1), 1.0)


@pytest.mark.parametrize("kept", [[0, 3], [1, 2, 3]])
def test_levels_that_a_fold_lacks(kept):
    X, y = levels()
    rows = np.isin(y, kept)
    model = OrderedClassifier(levels=[0, 1, 2, 3]).fit(X[rows], y[rows])
    assert model.predict_proba(X).shape == (600, len(kept))
