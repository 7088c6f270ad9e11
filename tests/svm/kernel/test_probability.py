"""Calibration and coupling."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import minimize
from scipy.special import expit

from margin.svm import SVC
from margin.svm.kernel._probability import calibrate, calibrated, couple, fit_sigmoid

RNG = np.random.default_rng(0)
S = RNG.normal(size=300)
POSITIVE = RNG.random(300) < expit(2 * S - 0.5)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_sigmoid_is_the_maximum_of_platts_likelihood(scale):
    slope, offset = fit_sigmoid(S * scale, POSITIVE)
    n, m = POSITIVE.sum(), (~POSITIVE).sum()
    target = np.where(POSITIVE, (n + 1) / (n + 2), 1 / (m + 2))

    def loss(x):
        z = x[0] * S + x[1]
        return (np.logaddexp(0, z) - target * z).sum()

    best = minimize(loss, [0, 0], tol=1e-12).x
    assert_allclose([slope * scale, offset], best, atol=1e-4)


def test_separable_scores_and_weights():
    slope, _ = fit_sigmoid(np.array([-1.0, 1.0]), np.array([False, True]))
    assert 0 < slope < np.inf
    weight = RNG.integers(1, 4, size=300)
    again = np.repeat(np.arange(300), weight)
    assert_allclose(
        fit_sigmoid(S, POSITIVE, weight.astype(float)), fit_sigmoid(S[again], POSITIVE[again])
    )
    assert_allclose(fit_sigmoid(np.zeros(4), np.array([0, 0, 1, 1]))[1], 0, atol=1e-9)


def test_interruption_of_the_sigmoid_ends_the_fit(monkeypatch):
    calls = iter(range(4))

    def expit_or_stop(z):
        if next(calls, None) is None:
            raise KeyboardInterrupt
        return expit(z)

    monkeypatch.setattr("margin.svm.kernel._probability.expit", expit_or_stop)
    with pytest.raises(KeyboardInterrupt):
        fit_sigmoid(S, POSITIVE)


def test_isotonic_never_falls():
    p = calibrated("isotonic", calibrate("isotonic", S, POSITIVE), np.linspace(-5, 5, 200))
    assert np.diff(p).min() >= 0
    assert p.min() >= 0
    assert p.max() <= 1


def test_coupling_gives_back_consistent_pairs():
    p = RNG.dirichlet(np.ones(4), size=50)
    pairs = [(i, j) for i in range(4) for j in range(i + 1, 4)]
    r = np.column_stack([p[:, i] / (p[:, i] + p[:, j]) for i, j in pairs])
    assert_allclose(couple(r, 4), p, atol=1e-9)
    certain = couple(np.array([[1.0, 1.0, 0.5]]), 3)
    assert_allclose(certain.sum(), 1)
    assert certain[0].argmax() == 0


def test_probabilities_are_calibrated_on_new_data():
    rng = np.random.default_rng(3)
    A = rng.normal(size=(1200, 2))
    chance = expit(2 * A[:, 0] + A[:, 1])
    b = (rng.random(1200) < chance).astype(int)
    model = SVC(probability="sigmoid").fit(A[:400], b[:400])
    p = model.predict_proba(A[400:])[:, 1]
    assert np.mean((p - chance[400:]) ** 2) < 0.01
