"""What regression and one class share in fitting."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.svm import SVR, OneClassSVM

X = np.random.default_rng(0).normal(size=(40, 2))


def test_attributes_of_one_machine():
    model = SVR().fit(X, X[:, 0])
    assert model.dual_coef_.shape == (1, len(model.support_))
    assert model.n_support_.tolist() == [len(model.support_)]
    assert model.intercept_.shape == (1,)
    assert model.n_iter_ >= 1
    assert_allclose(model.support_vectors_, X[model.support_])
    assert SVR().fit(X.astype(np.float32), X[:, 0]).intercept_.dtype == np.float32


def test_weights_without_a_target():
    weight = np.repeat([1.0, 0.0], 20)
    one = OneClassSVM().fit(X, sample_weight=weight)
    two = OneClassSVM().fit(X[:20])
    assert_allclose(one.decision_function(X), two.decision_function(X), atol=1e-7)


def test_failed_fit_leaves_the_old_machine():
    model = SVR().fit(X, X[:, 0])
    before = model.predict(X)
    with pytest.raises(ValueError, match="SVR: C must be"):
        model.set_params(C=-1).fit(X, X[:, 1])
    assert_allclose(model.set_params(C=1.0).predict(X), before)
