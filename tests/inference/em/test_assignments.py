"""E steps over a hidden choice."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import logsumexp

from margin.inference import (
    Drawn,
    Expectation,
    Hard,
    Soft,
    Tempered,
    Truncated,
    evidence_parts,
    expectation_maximisation,
)

X = np.array([0.0, 1.0, 4.0, 5.0])
TABLE = np.log(np.random.default_rng(0).dirichlet(np.ones(4), size=20))


def em(assignment, start=(1.0, 4.0), maximise=None, **options):
    def expect(mean):
        log_joint = -0.5 * (X[:, None] - mean) ** 2 - 0.5 * np.log(2 * np.pi) - np.log(2)
        share, bound = assignment(log_joint)
        return Expectation(bound.sum(), share)

    step = maximise or (lambda share, mean: X @ share / share.sum(0))
    return expectation_maximisation(expect, step, [np.array(start)], tol=1e-12, **options)


@pytest.mark.parametrize("assignment", [Soft(), Hard(), Truncated(2)])
def test_the_bound_is_energy_plus_entropy(assignment):
    """inference.29, inference.30: as the definition has it, for every kind of shares."""
    share, bound = assignment(TABLE)
    assert_allclose(share.sum(axis=1), 1)
    assert_allclose(bound, evidence_parts(TABLE, share).bound, atol=1e-12)


def test_limits_of_truncation_and_temperature():
    """inference.30: one cause is hard, all causes are soft, cold is hard, beta 1 is soft."""
    assert_allclose(Truncated(1)(TABLE).share, Hard()(TABLE).share)
    assert_allclose(Truncated(9)(TABLE).share, Soft()(TABLE).share)
    assert_allclose(Tempered(1.0)(TABLE).bound, logsumexp(TABLE, axis=1), atol=1e-12)
    assert_allclose(Tempered(1e4)(TABLE).share, Hard()(TABLE).share, atol=1e-6)


def test_draws_have_the_posterior_as_their_mean():
    """inference.30: stochastic EM."""
    rng = np.random.default_rng(1)
    mean = np.mean([Drawn(rng)(TABLE).share for _ in range(4000)], axis=0)
    assert_allclose(mean, np.exp(TABLE), atol=0.04)


def test_rows_that_nothing_explains_are_shared_evenly():
    share, bound = Soft()(np.full((1, 2), -np.inf))
    assert_allclose(share, 0.5)
    assert np.isneginf(bound[0])


def test_hard_em_is_k_means():
    """inference.30, mixture.05: classification EM ends at the means of the halves."""
    solution = em(Hard())
    assert_allclose(solution.x, [0.5, 4.5])
    assert solution.extras["smallest_step"] >= 0


@pytest.mark.parametrize("assignment", [Soft(), Hard(), Truncated(1), Tempered(0.5)])
def test_no_step_lowers_the_bound(assignment):
    """inference.30."""
    solution = em(assignment, (0.0, 0.5))
    assert solution.status.ok
    assert solution.extras["smallest_step"] > -1e-12


def test_generalised_and_constrained_steps():
    """inference.30: half a step arrives where whole steps do; a fixed mean stays."""
    half = em(Soft(), maximise=lambda share, at: 0.5 * (at + X @ share / share.sum(0)))
    assert_allclose(half.x, em(Soft()).x, atol=1e-5)
    assert half.extras["smallest_step"] > 0
    fixed = em(Soft(), maximise=lambda s, at: np.array([at[0], X @ s[:, 1] / s[:, 1].sum()]))
    assert fixed.x[0] == 1.0
    assert fixed.extras["smallest_step"] > -1e-12


def test_stochastic_em_wanders_about_the_answer():
    """inference.30."""
    solution = em(Drawn(np.random.default_rng(0)), monotone=None, max_iter=30)
    assert_allclose(solution.x, [0.5, 4.5], atol=1.2)


def test_bad_settings_are_refused():
    with pytest.raises(ValueError, match="Truncated: n_kept must be an integer of at least 1"):
        Truncated(0)
    with pytest.raises(ValueError, match="Tempered: beta must be a number above 0, got -1"):
        Tempered(-1.0)
