"""The posterior over all partitions of a few rows (mixture.17)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import NormalMean
from margin.mixture import ChineseRestaurantProcess, exact_partition_posterior

GOLDEN = [0.00045241, 0.64657809, 0.00029356, 0.00388027, 0.34879567]


def test_golden():
    """mixture.17: x = (-1, 0, 5), alpha = 1, prior N(0, 9), noise 1."""
    exact = exact_partition_posterior([[-1.0], [0.0], [5.0]], NormalMean(0.0, 3.0, 1.0), 1.0)
    assert_allclose(exact.probabilities, GOLDEN, atol=5e-9)
    assert_allclose(exact.n_components, [0, GOLDEN[0], sum(GOLDEN[1:4]), GOLDEN[4]], atol=2e-8)
    assert_allclose(exact.co_clustering[0, 1], GOLDEN[0] + GOLDEN[1], atol=2e-8)
    assert_allclose(np.diag(exact.co_clustering), 1.0)


def test_evidence_by_integration():
    """The sum over partitions is the predictive chain of one row after the other."""
    prior, alpha = NormalMean(0.0, 2.0, 1.0), 0.7
    x = np.array([[0.3], [1.5]])
    together = prior.log_evidence(x[:, 0])
    apart = sum(prior.log_evidence(v) for v in x)
    law = ChineseRestaurantProcess(alpha)
    truth = np.logaddexp(law.log_prob([0, 0]) + together, law.log_prob([0, 1]) + apart)
    assert_allclose(exact_partition_posterior(x, prior, alpha).log_evidence, truth)


def test_too_many_rows():
    with pytest.raises(ValueError, match="X must be a table of 1 to 10 rows"):
        exact_partition_posterior(np.zeros((11, 1)), None, 1.0)
