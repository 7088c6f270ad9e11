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


@pytest.mark.parametrize("model", [MixtureOfRegressions, MixtureOfExperts])
def test_duplicates_are_told_of(model):
    """Regressions through a few distinct rows have no variance but what is added."""
    X = np.repeat([[0.0, 0.0], [5.0, 5.0]], 10, axis=0)
    found = model(n_components=2, random_state=0).fit(X, np.repeat([1.0, 2.0], 10))
    assert "goes through its rows exactly" in str(found.fit_report_.repairs)
