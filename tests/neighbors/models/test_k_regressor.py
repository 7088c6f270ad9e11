"""Regression by the nearest few (neighbors.01)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.neighbors import KNeighborsRegressor as Reference

from margin.linear import LocallyWeightedRegression
from margin.neighbors import KNeighborsRegressor

RNG = np.random.default_rng(0)
X, Q = RNG.normal(size=(300, 3)), RNG.normal(size=(50, 3))
Y = RNG.normal(size=(300, 2))


@pytest.mark.parametrize("weights", ["uniform", "distance", lambda d: np.exp(-d)])
@pytest.mark.parametrize("targets", [Y, Y[:, 0]])
def test_against_scikit_learn(weights, targets):
    ours, theirs = (m(7, weights=weights).fit(X, targets) for m in (KNeighborsRegressor, Reference))
    assert_allclose(ours.predict(Q), theirs.predict(Q), rtol=1e-10)
    assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-10)


def test_distribution_of_the_neighbours():
    """Mean and quantiles are those of the neighbours."""
    model = KNeighborsRegressor(5, weights="distance").fit(X, Y[:, 0])
    dist = model.predict_dist(Q)
    assert_allclose(dist.mean, model.predict(Q), rtol=1e-12)
    uniform = KNeighborsRegressor(5).fit(X, Y[:, 0])
    near = Y[:, 0][uniform.kneighbors(Q)[1]]
    assert_allclose(uniform.predict_dist(Q).quantile(0.5), np.median(near, axis=1))
    several = KNeighborsRegressor(5).fit(X, Y).predict_dist(Q)
    assert_allclose(several.mean, KNeighborsRegressor(5).fit(X, Y).predict(Q), rtol=1e-12)


def test_with_a_kernel_it_is_the_regression_of_nadaraya_and_watson():
    """neighbors.05: the same numbers as the local regression of degree zero in margin.linear."""
    kernel = KNeighborsRegressor(300, weights=lambda d: np.exp(-0.5 * (d / 0.6) ** 2))
    local = LocallyWeightedRegression(
        bandwidth=0.6, kernel="gaussian", degree=0, standardise=False
    ).fit(X, Y[:, 0])
    assert_allclose(kernel.fit(X, Y[:, 0]).predict(Q), local.predict(Q), rtol=1e-9)


def test_bad_targets():
    with pytest.raises(ValueError, match="y must be numbers"):
        KNeighborsRegressor().fit(X, ["a"] * 300)


def test_targets_near_the_largest_number():
    """What counts nothing makes no NaN of squares that overflow."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(20, 3)), rng.normal(size=20)
    model = KNeighborsRegressor(weights="distance").fit(X, 1e300 * y)
    with np.errstate(over="ignore"):
        assert_allclose(model.predict_dist(X).var, 0.0)
    small = KNeighborsRegressor(weights="distance").fit(X, y)
    near = X + 1e-12
    assert_allclose(model.predict(near) / 1e300, small.predict(near), rtol=1e-12)
