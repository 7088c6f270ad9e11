"""Outliers by local densities (neighbors.01)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.neighbors import LocalOutlierFactor as Reference
from sklearn.utils.estimator_checks import parametrize_with_checks

from margin.neighbors import LocalOutlierFactor

RNG = np.random.default_rng(0)
X = np.vstack([RNG.normal(size=(150, 3)), RNG.uniform(-8, 8, size=(10, 3))])
Q = RNG.normal(size=(20, 3))


@parametrize_with_checks(
    [LocalOutlierFactor(n_neighbors=3), LocalOutlierFactor(n_neighbors=3, novelty=True)]
)
def test_contract_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("contamination", ["auto", 0.1])
@pytest.mark.parametrize("algorithm", ["auto", "kd_tree"])
def test_against_scikit_learn(contamination, algorithm):
    options = {"contamination": contamination, "algorithm": algorithm}
    ours, theirs = LocalOutlierFactor(**options), Reference(**options)
    assert_array_equal(ours.fit_predict(X), theirs.fit_predict(X))
    assert_allclose(ours.negative_outlier_factor_, theirs.negative_outlier_factor_, rtol=1e-7)
    models = [m(novelty=True, **options).fit(X) for m in (LocalOutlierFactor, Reference)]
    assert_allclose(*(m.score_samples(Q) for m in models), rtol=1e-7)
    assert_array_equal(*(m.predict(Q) for m in models))


def test_units_do_not_matter():
    """Also where distances are smaller than any fixed distance between equal rows."""
    tiny = LocalOutlierFactor().fit(1e-12 * X).negative_outlier_factor_
    assert_allclose(tiny, LocalOutlierFactor().fit(X).negative_outlier_factor_, rtol=1e-9)


def test_equal_rows():
    model = LocalOutlierFactor(n_neighbors=3)
    assert_array_equal(model.fit_predict(np.ones((10, 2))), 1)
    with pytest.warns(UserWarning, match="Duplicate values"):
        model.fit(np.vstack([np.ones((10, 2)), [[2.0, 2.0]]]))


def test_refusals():
    with pytest.raises(ValueError, match="contamination must be"):
        LocalOutlierFactor(contamination=0.7).fit(X)
    with pytest.raises(AttributeError, match="no attribute 'fit_predict'"):
        LocalOutlierFactor(novelty=True).fit_predict(X)
    with pytest.raises(AttributeError, match="no attribute 'predict'"):
        LocalOutlierFactor().fit(X).predict(X)
    with pytest.raises(ValueError, match="at least 2 samples"):
        LocalOutlierFactor().fit(X[:1])
    with pytest.warns(UserWarning, match="greater than the total number of samples"):
        assert LocalOutlierFactor().fit(X[:5]).n_neighbors_ == 4
