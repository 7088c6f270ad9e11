"""The evidence as bound and divergence."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import logsumexp

from margin.inference import Soft, evidence_parts

RNG = np.random.default_rng(0)
TABLE = RNG.normal(size=(30, 3)) * 3


def test_evidence_is_bound_plus_divergence_for_any_shares():
    """inference.29: both computed by themselves, and the divergence never negative."""
    parts = evidence_parts(TABLE, RNG.dirichlet(np.ones(3), size=30))
    assert parts.gap < 1e-12
    assert parts.divergence.min() > 0
    assert_allclose(parts.log_evidence, logsumexp(TABLE, axis=1))
    assert_allclose(parts.bound, parts.energy + parts.entropy)


def test_the_bound_is_tight_after_the_e_step():
    """inference.29."""
    parts = evidence_parts(TABLE, Soft()(TABLE).share)
    assert_allclose(parts.bound, parts.log_evidence)
    assert_allclose(parts.divergence, 0, atol=1e-12)


def test_causes_without_share_do_not_count():
    parts = evidence_parts(np.array([[-1.0, -np.inf]]), [[1.0, 0.0]])
    assert_allclose([parts.bound[0], parts.divergence[0]], [-1.0, 0.0])


@pytest.mark.parametrize("share", [[[0.5, 0.6]], [[1.5, -0.5]], [0.5, 0.5]])
def test_shares_must_be_probabilities(share):
    with pytest.raises(ValueError, match="evidence_parts: share must be"):
        evidence_parts(np.zeros((1, 2)), share)
