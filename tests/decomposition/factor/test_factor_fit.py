"""Ways to fit factor analysis."""

import numpy as np
from numpy.testing import assert_allclose

from margin.decomposition._blocks import RowBlocks
from margin.decomposition.factor._factor_fit import Settings, fit_complete, fit_gaps, fit_moments
from margin.decomposition.probabilistic._gap_em import column_totals

RNG = np.random.default_rng(0)
X = RNG.normal(size=(200, 2)) @ RNG.normal(size=(2, 6)) + RNG.normal(size=(200, 6)) * 1.5
BASE = Settings(2, True, None, False, 1e-7, 5000, np.random.default_rng(0))


def test_all_ways_agree():
    """decomposition.09: Newton, EM on the covariance, EM on rows, blocks."""
    best = fit_complete(X, None, BASE)
    blocks = RowBlocks([(X[:50], None), (X[50:], None)])
    others = [
        fit_complete(X, None, BASE._replace(newton=False)),
        fit_moments(blocks, BASE),
        fit_gaps(blocks, column_totals(blocks), BASE),
    ]
    for found in others:
        assert_allclose(found.solution.objective, best.solution.objective, rtol=1e-7)
        assert_allclose(found.law.covariance(), best.law.covariance(), atol=0.01)


def test_many_columns_take_em():
    wide = RNG.normal(size=(30, 1)) @ RNG.normal(size=(1, 2050)) + RNG.normal(size=(30, 2050))
    found = fit_complete(wide, None, BASE._replace(n_components=1, tol=1.0))
    assert found.solution.solver == "expectation maximisation"
    assert found.law.loadings.shape == (2050, 1)
