"""Cross-validation along a path, against fits of single folds (linear.14)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.model_selection import KFold, cross_val_score

from margin.linear import ElasticNet, ElasticNetCV
from margin.linear.sparse._path_cross_validation import inside


def test_errors_are_those_of_separate_fits():
    """Every entry of the table equals a fit and a prediction of its own."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 8))
    y = X[:, 0] + rng.normal(size=60)
    folds = KFold(4, shuffle=True, random_state=0)
    model = ElasticNetCV(l1_ratio=[0.4, 0.9], alphas=[0.3, 0.05], cv=folds, tol=1e-11).fit(X, y)
    for r, l1_ratio in enumerate((0.4, 0.9)):
        for k, alpha in enumerate((0.3, 0.05)):
            single = ElasticNet(alpha=alpha, l1_ratio=l1_ratio, tol=1e-11)
            scores = cross_val_score(single, X, y, cv=folds, scoring="neg_mean_squared_error")
            assert_allclose(model.mse_path_[r, k], -scores, rtol=1e-6)


def test_shares_of_a_fold():
    shares = inside(np.array([0, 2]), np.array([1.0, 5.0, 3.0]))
    assert shares.tolist() == [0.25, 0.0, 0.75]


def test_iterables_of_splits_are_folds():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 3)), rng.normal(size=20)
    halves = [(np.arange(10), np.arange(10, 20)), (np.arange(10, 20), np.arange(10))]
    model = ElasticNetCV(alphas=[0.1], cv=halves).fit(X, y)
    assert model.mse_path_.shape == (1, 2)
    with pytest.raises(ValueError, match="max_iter must be"):
        ElasticNetCV(max_iter=0).fit(X, y)
