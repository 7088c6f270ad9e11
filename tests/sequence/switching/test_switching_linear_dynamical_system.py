"""Switching linear dynamical systems."""

import pickle

import numpy as np
import pytest

from margin.distributions import MixtureDistribution
from margin.inference import LinearSystem, kalman_smoother
from margin.sequence import SwitchingLinearDynamicalSystem

RNG = np.random.default_rng(0)


def series(T=300):
    v, truth = np.zeros(T), np.arange(T) // 60 % 2
    for t in range(1, T):
        v[t] = (0.95 * v[t - 1] if truth[t] else 4.0 - 0.8 * v[t - 1]) + RNG.normal() / 4
    return v, truth


V, TRUTH = series()
MODEL = SwitchingLinearDynamicalSystem(2, 1, n_init=3, tol=1e-5, random_state=0).fit([V])


def test_regimes_are_told_apart():
    """sequence.38: the path of the regimes is recovered, up to their names."""
    share = np.mean(MODEL.predict([V])[0] == TRUTH)
    assert max(share, 1 - share) > 0.9
    assert np.diff(-MODEL.fit_report_.trace["objective"]).min() > -1e-6
    assert MODEL.score([V]) == pytest.approx(MODEL.log_bound_ / len(V), rel=0.05)


def test_forecasts_have_intervals():
    ahead = MODEL.forecast(20)
    assert isinstance(ahead, MixtureDistribution)
    low, high = ahead.interval(0.9)
    assert low.shape == (20,)
    assert (low < high).all()
    np.testing.assert_allclose(MODEL.forecast(1, V).mean, MODEL.forecast(1).mean, atol=0.2)


def test_vectors_with_holes():
    Y = np.column_stack([V, 2 * V + RNG.normal(size=len(V))])
    Y[10:14] = Y[40, 0] = np.nan
    model = SwitchingLinearDynamicalSystem(2, 1, n_init=1, tol=1e-3, random_state=0)
    model.fit(Y[:200], lengths=[90, 110])
    assert model.forecast(3).mean.shape == (3, 2)
    assert model.transform(Y[:200], lengths=[90, 110])[1].shape == (110, 1)
    again = pickle.loads(pickle.dumps(model))
    np.testing.assert_array_equal(again.log_bound([Y]), model.log_bound([Y]))


def test_refusals():
    with pytest.raises(ValueError, match="n_regimes must be an integer of at least 1"):
        SwitchingLinearDynamicalSystem(0).fit([V])
    with pytest.raises(ValueError, match="X must be observed somewhere"):
        SwitchingLinearDynamicalSystem().fit([np.full(4, np.nan)])
    with pytest.raises(ValueError, match="h must be an integer of at least 1"):
        MODEL.forecast(0)


def test_query_is_the_smoothed_state():
    """With one regime it is the exact smoother of a linear system."""
    x = V[:60].copy()
    x[20:24] = np.nan
    one = SwitchingLinearDynamicalSystem(1, 1, n_init=1, tol=1e-3, random_state=0).fit([x])
    p = one.parameters_
    system = LinearSystem(p.A[0], p.C, p.Q[0], np.diag(p.R), b=p.b[0], d=p.d, cov=np.eye(1))
    exact = kalman_smoother(system, x)
    law = one.query(x, [3, 22])
    np.testing.assert_allclose(law.mean, exact.mean[[3, 22], 0], rtol=1e-6)
    np.testing.assert_allclose(law.std, np.sqrt(exact.cov[[3, 22], 0, 0]), rtol=1e-6)
