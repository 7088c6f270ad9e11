"""Likelihoods of two classes: derivatives, moments, averages (gp.13)."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import expit, ndtr

from margin.inference import LogisticLikelihood, ProbitLikelihood

T = np.array([1.0, -1.0, 1.0, -1.0])
F = np.array([0.3, 0.3, -2.0, 5.0])
LIKELIHOODS = {"logistic": LogisticLikelihood(), "probit": ProbitLikelihood()}
LINKS = {"logistic": expit, "probit": ndtr}


@pytest.mark.parametrize("name", LIKELIHOODS)
def test_derivatives(name):
    likelihood, h = LIKELIHOODS[name], 1e-5
    at = likelihood.local(T, F)
    np.testing.assert_allclose(at.log_prob, np.log(LINKS[name](T * F)), rtol=1e-10)
    up, down = likelihood.local(T, F + h), likelihood.local(T, F - h)
    np.testing.assert_allclose(at.first, (up.log_prob - down.log_prob) / (2 * h), rtol=1e-6)
    np.testing.assert_allclose(at.second, (up.first - down.first) / (2 * h), rtol=1e-6)
    np.testing.assert_allclose(at.third, (up.second - down.second) / (2 * h), rtol=1e-5)
    assert (at.second < 0).all()


@pytest.mark.parametrize("name", LIKELIHOODS)
def test_moments_against_integrals(name):
    link, likelihood = LINKS[name], LIKELIHOODS[name]
    cases = [(0.5, 1.0, 1.0), (-3.0, 4.0, 1.0), (2.0, 100.0, -1.0), (0.0, 1e-4, 1.0)]
    for mean, var, t in cases:
        std = np.sqrt(var)
        ends = [mean - 12 * std, mean + 12 * std]

        def moment(power, mean=mean, std=std, t=t, ends=ends):
            def integrand(f):
                z = (f - mean) / std
                return f**power * link(t * f) * np.exp(-0.5 * z * z) / (std * np.sqrt(2 * np.pi))

            points = [p for p in (0.0, mean) if ends[0] < p < ends[1]]
            return quad(integrand, *ends, points=points, limit=500, epsabs=1e-13)[0]

        mass = moment(0)
        first = moment(1) / mass
        tilted = likelihood.tilted(np.array([t]), np.array([mean]), np.array([var]))
        assert np.exp(tilted.log_mass[0]) == pytest.approx(mass, rel=1e-8)
        assert tilted.mean[0] == pytest.approx(first, rel=1e-7, abs=1e-9)
        assert tilted.var[0] == pytest.approx(moment(2) / mass - first**2, rel=1e-5)
        average = likelihood.average(np.array([t * mean]), np.array([var]))[0]
        assert average == pytest.approx(mass, rel=1e-8)


def test_extreme_rows_stay_finite():
    mean = np.array([-200.0, 200.0, -40.0, 0.0])
    var = np.array([100.0, 100.0, 1.0, 1e4])
    for likelihood in LIKELIHOODS.values():
        tilted = likelihood.tilted(np.ones(4), mean, var)
        assert all(np.isfinite(part).all() for part in tilted)
        assert (tilted.var > 0).all()
        assert (tilted.var <= var * (1 + 1e-9)).all()
    # Far in the tail the logistic is an exponential, whose mass is known.
    assert LogisticLikelihood().tilted(np.ones(1), mean[2:3], var[2:3]).log_mass[
        0
    ] == pytest.approx(-39.5)


def test_probabilities_of_both_classes_sum_to_one():
    mean, var = np.linspace(-30, 30, 41), np.geomspace(1e-6, 1e3, 41)
    for likelihood in (LogisticLikelihood(), ProbitLikelihood()):
        both = likelihood.average(mean, var) + likelihood.average(-mean, var)
        np.testing.assert_allclose(both, 1.0, rtol=1e-10)
    np.testing.assert_allclose(
        LogisticLikelihood().average(mean, np.zeros(41)), expit(mean), rtol=1e-9
    )
