"""Trees of a file as a value that predicts."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit

from margin.search import Forest, TreeSum


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
    assert_allclose(TreeSum(stump(), (1.0,), 0.5).predict(X), [0.5, 1.5])
    assert_allclose(TreeSum(stump(), link="exp").predict(X), np.exp([-1, 1]))
    logistic = TreeSum(stump(), link="logistic")
    assert_allclose(logistic.predict(X), expit([-1, 1]))
    assert_allclose(logistic.predict_proba(X)[:, 1], expit([-1, 1]))
    several = TreeSum(stump(3), (0.0, 0.0, 0.0), link="softmax")
    assert_allclose(several.predict(X), several.predict_proba(X))
    assert_allclose(several.predict_proba(X).sum(axis=1), 1.0)
    assert TreeSum(stump(2), (0.0, 0.0)).predict(X.astype(np.float32)).shape == (2, 2)


def test_refusals():
    with pytest.raises(ValueError, match="TreeSum: base must be 1 numbers, one per output"):
        TreeSum(stump(), (0.0, 1.0))
    with pytest.raises(ValueError, match="TreeSum: link must be one of"):
        TreeSum(stump(), link="probit")
    with pytest.raises(ValueError, match="TreeSum: X must be a table of 2 columns"):
        TreeSum(stump()).predict([[1.0]])
    with pytest.raises(ValueError, match="link must be logistic or softmax for probabilities"):
        TreeSum(stump()).predict_proba(X)
