from sklearn.datasets import make_classification
from sklearn.ensemble import ExtraTreesClassifier as TheirForest

from margin.ensemble import ExtraTreesClassifier


def test_as_good_as_scikit_learn():
    X, y = make_classification(1200, 12, n_informative=6, flip_y=0.1, random_state=0)
    ours = ExtraTreesClassifier(60, random_state=0).fit(X[:800], y[:800])
    theirs = TheirForest(60, random_state=0).fit(X[:800], y[:800])
    assert ours.score(X[800:], y[800:]) > theirs.score(X[800:], y[800:]) - 0.03
    assert ours.score(X[:800], y[:800]) == 1.0
