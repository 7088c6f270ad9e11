"""Novelty detection."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn import svm as peer

from margin.svm import OneClassSVM

X = np.random.default_rng(0).normal(size=(150, 3))


@pytest.mark.parametrize("nu", [0.1, 0.5])
def test_same_machine_as_scikit_learn(nu):
    """svm.13, adaptation.10."""
    theirs = peer.OneClassSVM(nu=nu, tol=1e-8).fit(X)
    ours = OneClassSVM(nu=nu, tol=1e-8).fit(X)
    assert_allclose(ours.decision_function(X), theirs.decision_function(X), atol=1e-5)
    assert_allclose(ours.score_samples(X) - ours.offset_, ours.decision_function(X))
    assert_allclose(ours.dual_coef_.sum(), nu * len(X))


def test_nu_is_between_the_outliers_and_the_support():
    for nu in (0.1, 0.3):
        model = OneClassSVM(nu=nu, tol=1e-8).fit(X)
        assert (model.predict(X) == -1).sum() <= nu * len(X)
        assert len(model.support_) >= nu * len(X)
        assert (model.predict(X[model.support_report_.unbound]) == 1).all()


def test_objects_and_matrix():
    K = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=2))
    one = OneClassSVM(kernel="precomputed", nu=0.2).fit(K)
    two = OneClassSVM(gamma=1.0, nu=0.2).fit(X)
    assert_allclose(one.decision_function(K), two.decision_function(X), atol=1e-6)
    assert OneClassSVM(kernel="linear").fit(X).coef_.shape == (1, 3)


def test_bad_share():
    with pytest.raises(ValueError, match="OneClassSVM: nu must be"):
        OneClassSVM(nu=0).fit(X)
