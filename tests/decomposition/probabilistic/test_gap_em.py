"""Expectation maximisation on rows with gaps."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import approx_fprime

from margin.decomposition._blocks import RowBlocks
from margin.decomposition.probabilistic._gap_em import column_totals, gap_em
from margin.decomposition.probabilistic._latent_normal import LatentNormal

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 1)) @ [[1.0, -1.2, 0.8, 1.5]] + RNG.normal(size=(60, 4)) + 3
X[RNG.random(X.shape) < 0.25] = np.nan
WEIGHT = RNG.integers(0, 3, 60).astype(float)


def test_totals_against_nan_functions():
    totals = column_totals(RowBlocks([(X[:20], None), (X[20:], None)]))
    assert_allclose(totals.mean, np.nanmean(X, axis=0))
    assert_allclose(totals.variance, np.nanvar(X, axis=0))
    assert_allclose(totals.weight, np.sum(~np.isnan(X), axis=0))
    assert totals.n_rows == 60


@pytest.mark.parametrize("isotropic", [False, True])
@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_gradient_vanishes_at_the_answer(isotropic, weight):
    """decomposition.06, decomposition.09: a maximum of the likelihood of the observed entries."""
    blocks = RowBlocks([(X, weight)])
    totals = column_totals(blocks)
    start = LatentNormal(totals.mean, RNG.normal(size=(4, 1)), np.ones(4))
    found = gap_em(
        blocks, start, totals.mean, np.full(4, 1e-9), isotropic=isotropic, tol=1e-13, max_iter=5000
    )
    assert found.extras["smallest_step"] > -1e-8
    held = np.ones(60) if weight is None else weight
    law = found.x

    def likelihood(v):
        noise = np.full(4, np.exp(v[8])) if isotropic else np.exp(v[8:])
        return float(held @ LatentNormal(v[:4], v[4:8, None], noise).posterior(X).log_prob)

    log_noise = np.log(law.noise)[:1] if isotropic else np.log(law.noise)
    at = np.concatenate([law.mean, law.loadings[:, 0], log_noise])
    assert_allclose(likelihood(at), -found.objective, rtol=1e-12)
    assert np.abs(approx_fprime(at, likelihood, 1e-6)).max() < 5e-3


def test_blocks_equal_the_whole():
    start = LatentNormal(np.zeros(4), np.ones((4, 1)), np.ones(4))
    answers = [
        gap_em(
            RowBlocks(parts),
            start,
            np.zeros(4),
            np.full(4, 1e-9),
            isotropic=True,
            tol=0,
            max_iter=5,
        )
        for parts in ([(X, WEIGHT)], [(X[:9], WEIGHT[:9]), (X[9:], WEIGHT[9:])])
    ]
    assert_allclose(answers[0].x.loadings, answers[1].x.loadings, rtol=1e-10)
    assert_allclose(answers[0].objective, answers[1].objective, rtol=1e-12)
