"""Margins of a classifier (tree.18)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.ensemble import AdaBoostClassifier, margin_distribution
from margin.linear import LogisticRegression


def test_margins_by_hand_and_error_at_zero():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 2))
    y = np.array(["x", "y", "z"])[np.digitize(X[:, 0] + rng.normal(size=90), [-0.5, 0.5])]
    model = LogisticRegression().fit(X, y)
    shares = model.predict_proba(X)
    expected = []
    for share, label in zip(shares, np.searchsorted(model.classes_, y), strict=True):
        expected.append(share[label] - np.delete(share, label).max())
    seen = margin_distribution(model, X, y)
    assert_allclose(seen.atoms, np.sort(expected))
    assert seen.cdf(0.0) == pytest.approx(1 - model.score(X, y))


def test_boosted_models_answer_by_their_votes():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 2))
    y = X[:, 0] > 0.2
    model = AdaBoostClassifier(n_estimators=5, random_state=0).fit(X, y)
    assert_allclose(margin_distribution(model, X, y).atoms, np.sort(model.margins(X, y)))
    with pytest.raises(ValueError, match="y must be among the classes of the model"):
        margin_distribution(LogisticRegression().fit(X, y), X[:1], ["other"])
