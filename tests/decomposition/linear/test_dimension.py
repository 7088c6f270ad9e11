"""The number of components."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.decomposition._pca import _assess_dimension, _infer_dimension

from margin.decomposition.linear._dimension import (
    components_for_share,
    log_evidence,
    most_evident_rank,
)


@pytest.mark.parametrize("seed", range(3))
def test_evidence_against_scikit_learn(seed):
    values = np.sort(np.random.default_rng(seed).gamma(1.0, size=7))[::-1]
    for rank in range(1, 7):
        assert_allclose(log_evidence(values, rank, 90), _assess_dimension(values, rank, 90))
    assert most_evident_rank(values, 90) == _infer_dimension(values, 90)


def test_equal_variances_have_an_answer():
    assert np.isfinite(log_evidence(np.ones(4), 2, 50))
    assert most_evident_rank(np.ones(1), 50) == 1


def test_share():
    values = np.array([5.0, 3.0, 2.0])
    assert [components_for_share(values, s) for s in (0.4, 0.5, 0.79, 0.81)] == [1, 2, 2, 3]
    assert components_for_share(np.zeros(3), 0.5) == 1
