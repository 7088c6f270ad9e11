"""What mixtures of regressions share."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.mixture import MixtureOfExperts, MixtureOfRegressions


@pytest.mark.parametrize("kind", [MixtureOfRegressions, MixtureOfExperts])
def test_answers_fit_together(kind):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 1))
    y = np.abs(X[:, 0]) + 0.1 * rng.normal(size=50)
    model = kind(n_components=2, random_state=0).fit(X, y)
    found = model.predict_dist(X)
    assert_allclose(found.weights.sum(axis=1), 1)
    assert_allclose(model.predict_component(X, y).sum(axis=1), 1)
    assert_allclose(model.log_likelihoods(X, y), found.log_prob(y))
    again = kind(n_components=2, random_state=0).fit(X, y)
    assert_allclose(again.coefs_, model.coefs_)
