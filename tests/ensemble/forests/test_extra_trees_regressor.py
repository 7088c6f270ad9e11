import numpy as np
from sklearn.datasets import make_friedman1
from sklearn.ensemble import ExtraTreesRegressor as TheirForest

from margin.ensemble import ExtraTreesRegressor


def test_as_good_as_scikit_learn():
    X, y = make_friedman1(900, noise=1.0, random_state=0)
    ours = ExtraTreesRegressor(40, random_state=0).fit(X[:600], y[:600])
    theirs = TheirForest(40, random_state=0).fit(X[:600], y[:600])
    assert ours.score(X[600:], y[600:]) > theirs.score(X[600:], y[600:]) - 0.03
    np.testing.assert_allclose(ours.predict(X[:600]), y[:600])
