"""Regression by all rows within a radius (neighbors.01)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.neighbors import RadiusNeighborsRegressor as Reference

from margin.neighbors import RadiusNeighborsRegressor

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(300, 2)), RNG.normal(size=(300, 2))


@pytest.mark.parametrize("weights", ["uniform", "distance"])
@pytest.mark.parametrize("targets", [Y, Y[:, 0]])
def test_against_scikit_learn(weights, targets):
    ours, theirs = (
        m(1.5, weights=weights).fit(X, targets) for m in (RadiusNeighborsRegressor, Reference)
    )
    assert_allclose(ours.predict(X[::3] + 0.1), theirs.predict(X[::3] + 0.1), rtol=1e-9)


def test_no_neighbours():
    model = RadiusNeighborsRegressor(1.0).fit(X, Y)
    said = r"RadiusNeighborsRegressor: 1 of 2 queries have no row within radius.*predicting NaN"
    with pytest.warns(UserWarning, match=said):
        answers = model.predict([[90.0, 0.0], X[0]])
    assert np.isnan(answers[0]).all()
    assert np.isfinite(answers[1]).all()
