"""Variational inference in normal families."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import MultivariateNormal
from margin.inference import monte_carlo_bound, variational_inference

COVARIANCE = np.array([[1.0, 0.6], [0.6, 2.0]])
TARGET = MultivariateNormal([1.0, -2.0], COVARIANCE)


def slope(z):
    return -(z - TARGET.mean) @ TARGET.precision


@pytest.mark.parametrize("reparametrised", [True, False])
def test_a_normal_posterior_is_found_by_both_gradients(reparametrised):
    """inference.32: the bound of the exact family is the evidence."""
    found = variational_inference(
        lambda z: TARGET.log_prob(z) - 3.0,
        [0.0, 0.0],
        gradient=slope if reparametrised else None,
        n_draws=40,
        max_iter=1500,
        random_state=0,
    )
    assert_allclose(found.distribution.mean, TARGET.mean, atol=0.06)
    assert_allclose(found.distribution.covariance, COVARIANCE, atol=0.12)
    assert_allclose(found.bound, -3.0, atol=5e-3 + 4 * found.error)


def test_a_factorised_family_has_the_widths_of_the_precisions():
    """inference.32: closed form, the variances are 1 / precision and the bound is too low by KL."""
    found = variational_inference(
        TARGET.log_prob, [0.0, 0.0], gradient=slope, family="factorised", random_state=1
    )
    width = 1 / np.diagonal(TARGET.precision)
    assert_allclose(found.distribution.var, width, rtol=0.05)
    gap = 0.5 * (np.linalg.slogdet(COVARIANCE)[1] - np.log(width).sum())
    assert_allclose(found.bound, -gap, atol=0.02 + 4 * found.error)


def test_the_bound_is_below_the_evidence_of_a_skewed_posterior():
    """inference.32: log evidence of a gamma density is zero, any normal bound stays below."""

    def log_joint(z):  # a log-gamma variable of shape 2
        return 2 * z[:, 0] - np.exp(z[:, 0])

    found = variational_inference(log_joint, [0.0], random_state=2, n_draws=60)
    assert -0.1 < found.bound < 0.0 + 3 * found.error


def test_the_estimate_of_the_bound_has_no_error_at_the_target():
    bound, error = monte_carlo_bound(TARGET.log_prob, TARGET, 50, np.random.default_rng(0))
    assert_allclose([bound, error], 0, atol=1e-12)


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ({"family": "wide"}, "family must be 'full' or 'factorised'"),
        ({"n_draws": 1}, "n_draws must be an integer of at least 2, got 1"),
        ({"max_iter": 0}, "max_iter must be an integer of at least 1, got 0"),
        ({"learning_rate": 0.0}, "learning_rate must be a number above 0"),
    ],
)
def test_bad_settings_are_refused(option, message):
    with pytest.raises(ValueError, match=message):
        variational_inference(TARGET.log_prob, [0.0, 0.0], **option)
