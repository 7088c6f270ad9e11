"""Classification by few rows (neighbors.01)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.neighbors import KNeighborsClassifier, PrototypeClassifier

RNG = np.random.default_rng(0)
X = RNG.normal(size=(400, 2))
Y = np.where(X[:, 0] + 0.5 * RNG.normal(size=400) > 0, "right", "left")
Q = RNG.normal(size=(2000, 2))


@pytest.mark.parametrize("metric", ["euclidean", "manhattan", "chebyshev", "cosine"])
def test_condensed_rows_classify_all_rows(metric):
    model = PrototypeClassifier(method="condensed", metric=metric).fit(X, Y)
    assert model.score(X, Y) == 1.0
    assert len(model.prototypes_) < len(X)
    assert_array_equal(model.prototypes_, X[model.prototype_indices_])


def test_editing_comes_close_to_the_best_boundary():
    """Nearer to the sign of the first column than one neighbour among all rows."""
    truth = np.where(Q[:, 0] > 0, "right", "left")
    nearest = KNeighborsClassifier(1).fit(X, Y).score(Q, truth)
    edited = PrototypeClassifier(method="edited").fit(X, Y)
    both = PrototypeClassifier(method="both").fit(X, Y)
    assert edited.score(Q, truth) > nearest + 0.05
    assert both.score(Q, truth) > nearest + 0.05
    assert len(both.prototypes_) < 0.3 * len(edited.prototypes_)
    assert_allclose(both.fit_report_.objective, len(both.prototypes_) / 400)


def test_probabilities_and_rare_classes():
    model = PrototypeClassifier(n_neighbors=3, method="edited").fit(X, Y)
    proba = model.predict_proba(Q[:50])
    assert_allclose(proba.sum(axis=1), 1.0)
    assert set(np.unique(np.round(3 * proba))) <= {0.0, 1.0, 2.0, 3.0}
    labels = Y.copy()
    labels[0] = "alone"
    assert 0 in PrototypeClassifier().fit(X, labels.astype(object)).prototype_indices_


def test_one_row_and_bad_parameters():
    assert PrototypeClassifier().fit([[1.0]], ["a"]).predict([[3.0]]) == "a"
    with pytest.raises(ValueError, match="method must be one of"):
        PrototypeClassifier(method="other").fit(X, Y)
