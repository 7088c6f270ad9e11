"""Trees of a file as a value that predicts."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit

from margin.ensemble import ImportedTrees
from margin.search import Forest


def stump(n_outputs=1):
    return Forest.of_tree(
        n_features=2,
        feature=[0, -1, -1],
        threshold=[0.0, np.nan, np.nan],
        left=[1, -1, -1],
        right=[2, -1, -1],
        value=np.array([[0.0], [-1.0], [1.0]]) * np.arange(1, n_outputs + 1),
    )


X = np.array([[-1.0, 0.0], [1.0, 0.0]])


def test_links():
    assert_allclose(ImportedTrees(stump(), (1.0,), 0.5).predict(X), [0.5, 1.5])
    assert_allclose(ImportedTrees(stump(), link="exp").predict(X), np.exp([-1, 1]))
    logistic = ImportedTrees(stump(), link="logistic")
    assert_allclose(logistic.predict(X), expit([-1, 1]))
    assert_allclose(logistic.predict_proba(X)[:, 1], expit([-1, 1]))
    several = ImportedTrees(stump(3), (0.0, 0.0, 0.0), link="softmax")
    assert_allclose(several.predict(X), several.predict_proba(X))
    assert_allclose(several.predict_proba(X).sum(axis=1), 1.0)
    assert ImportedTrees(stump(2), (0.0, 0.0)).predict(X.astype(np.float32)).shape == (2, 2)


def test_refusals():
    with pytest.raises(ValueError, match="ImportedTrees: base must be 1 numbers, one per output"):
        ImportedTrees(stump(), (0.0, 1.0))
    with pytest.raises(ValueError, match="ImportedTrees: link must be one of"):
        ImportedTrees(stump(), link="probit")
    with pytest.raises(ValueError, match="ImportedTrees: X must be a table of 2 columns"):
        ImportedTrees(stump()).predict([[1.0]])
    with pytest.raises(ValueError, match="link must be logistic or softmax for probabilities"):
        ImportedTrees(stump()).predict_proba(X)
