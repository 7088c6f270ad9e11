"""Mixtures of experts."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.mixture import MixtureOfExperts, MixtureOfRegressions


def bent(n=200, seed=0):
    x = np.random.default_rng(seed).uniform(-2, 2, n)
    y = np.where(x < 0, -x, 3 * x) + 0.05 * np.random.default_rng(seed + 1).normal(size=n)
    return x[:, None], y


def test_the_gate_finds_the_kink():
    X, y = bent()
    model = MixtureOfExperts(n_components=2, random_state=0).fit(X, y)
    assert_allclose(np.sort(model.coefs_[:, 0]), [-1, 3], atol=0.1)
    assert_allclose(model.predict([[-1.0], [1.0]]), [1.0, 3.0], atol=0.15)
    steep = int(np.argmax(model.coefs_[:, 0]))
    gate = model.predict_dist([[-1.5], [1.5]]).weights[:, steep]
    assert gate[0] < 0.05
    assert gate[1] > 0.95
    assert model.score(X, y) > MixtureOfRegressions(n_components=2, random_state=0).fit(X, y).score(
        X, y
    )


def test_no_step_lowers_the_bound():
    """inference.30: generalised EM."""
    X, y = bent()
    model = MixtureOfExperts(n_components=3, random_state=0, n_init=1, alpha=0.1).fit(X, y)
    trace = -np.asarray(model.fit_report_.trace["objective"])
    assert np.diff(trace).min() > -1e-9


def test_the_gate_is_at_its_optimum():
    """The gradient of the penalised likelihood with respect to the gate is zero."""
    X, y = bent(80)
    model = MixtureOfExperts(
        n_components=2, random_state=0, tol=1e-12, max_iter=20000, alpha=0.5
    ).fit(X, y)
    Z = np.column_stack([np.ones(len(X)), X])
    share, choice = model.predict_component(X, y), model.predict_dist(X).weights
    gate = np.vstack([model.gate_intercept_, model.gate_coef_.T])
    assert_allclose(Z.T @ (share - choice), 0.5 * gate, atol=0.02)


def test_bad_settings_are_refused():
    X, y = bent(10)
    with pytest.raises(ValueError, match="MixtureOfExperts: alpha must be a number of at least 0"):
        MixtureOfExperts(n_components=2, alpha=-1.0).fit(X, y)
