import numpy as np
import pytest
from sklearn import discriminant_analysis as peer
from sklearn.base import clone
from sklearn.covariance import OAS, EmpiricalCovariance, ShrunkCovariance
from sklearn.datasets import load_wine
from sklearn.preprocessing import StandardScaler

from margin.core import UnservedError
from margin.linear import LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis

BOTH = (LinearDiscriminantAnalysis, QuadraticDiscriminantAnalysis)


@pytest.mark.parametrize("kind", BOTH)
def test_the_empirical_covariance_is_the_usual_fit(kind):
    """linear.36, linear.37: an estimator that does nothing special changes nothing."""
    X, y = load_wine(return_X_y=True)
    usual = kind().fit(X, y)
    handed = kind(covariance_estimator=EmpiricalCovariance()).fit(X, y)
    np.testing.assert_allclose(handed.covariance_, usual.covariance_, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(handed.predict_proba(X), usual.predict_proba(X), atol=1e-8)


@pytest.mark.parametrize("estimator", [OAS(), ShrunkCovariance(shrinkage=0.3)])
@pytest.mark.parametrize("kind", BOTH)
def test_agrees_with_scikit_learn(kind, estimator):
    X, y = load_wine(return_X_y=True)
    estimator = clone(estimator)
    ours = kind(solver="eigen", covariance_estimator=estimator).fit(X, y)
    assert not hasattr(estimator, "covariance_")
    theirs = getattr(peer, kind.__name__)(solver="eigen", covariance_estimator=estimator).fit(X, y)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-7)


@pytest.mark.parametrize("kind", BOTH)
def test_refuses_what_contradicts_itself(kind):
    X, y = load_wine(return_X_y=True)
    name = kind.__name__
    with pytest.raises(UnservedError, match=f"{name}: shrinkage must be None with solver="):
        kind(solver="svd", shrinkage=0.1).fit(X, y)
    with pytest.raises(ValueError, match=f"{name}: .* Only one of the two can be set"):
        kind(shrinkage=0.1, covariance_estimator=OAS()).fit(X, y)
    with pytest.raises(ValueError, match=f"{name}: covariance_estimator is not supported with"):
        kind(solver="svd", covariance_estimator=OAS()).fit(X, y)
    with pytest.raises(ValueError, match="covariance_estimator must be an object with fit"):
        kind(covariance_estimator=3).fit(X, y)
    with pytest.raises(ValueError, match="must be None where rows have weights or NaN"):
        kind(covariance_estimator=OAS()).fit(X, y, sample_weight=np.ones(len(y)))
    with pytest.raises(ValueError, match=r"leaves covariance_ of shape \(13, 13\)"):
        kind(covariance_estimator=StandardScaler()).fit(X, y)
