"""Maximum likelihood of probabilistic PCA."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.decomposition._blocks import RowBlocks
from margin.decomposition.probabilistic._gap_em import column_totals
from margin.decomposition.probabilistic._ppca_fit import (
    Settings,
    fit_blocks_complete,
    fit_complete,
    fit_gaps,
    fit_rows,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2)) @ RNG.normal(size=(2, 5)) + 0.3 * RNG.normal(size=(60, 5))


def _settings(closed, k=2):
    return Settings(k, closed, 1e-13, 5000, np.random.default_rng(0))


@pytest.mark.parametrize("closed", [True, False])
def test_all_ways_reach_the_same_likelihood(closed):
    """decomposition.06: closed form, EM, and EM on rows."""
    best = fit_complete(X, None, _settings(True))
    one = fit_complete(X, None, _settings(closed))
    two = fit_blocks_complete(RowBlocks([(X[:9], None), (X[9:], None)]), _settings(closed))
    blocks = RowBlocks([(X, None)])
    three = fit_gaps(blocks, column_totals(blocks), _settings(closed))
    for found in (one, two, three, fit_rows(X, None, _settings(closed))):
        assert_allclose(found.solution.objective, best.solution.objective, rtol=1e-9)
        assert_allclose(found.law.covariance(), best.law.covariance(), atol=1e-4)


@pytest.mark.parametrize("closed", [True, False])
def test_many_columns(closed):
    """decomposition.06: no matrix of p by p is made."""
    wide = RNG.normal(size=(40, 1)) @ RNG.normal(size=(1, 2100)) + 0.1 * RNG.normal(size=(40, 2100))
    found = fit_complete(wide, None, _settings(closed, 1)._replace(tol=1e-8))
    values = np.linalg.svd(wide - wide.mean(axis=0), compute_uv=False) ** 2 / 40
    assert_allclose(found.law.noise[0], values[1:].sum() / 2099, rtol=1e-3)
