"""graphical.27: EM for Markov networks."""

import numpy as np
import pytest

from margin.core import Status
from margin.graphical.learning.markov._log_linear import LogLinear
from margin.graphical.learning.markov._markov_em import fit_incomplete
from margin.graphical.learning.markov._markov_gradient import maximise_likelihood
from margin.graphical.learning.markov._proportional_fitting import (
    clique_marginals,
    fit_proportionally,
)

FAMILY = LogLinear((2, 2, 2), ((0, 1), (1, 2), (0, 2)), (None,) * 3)


def rows(n=200, unknown=0.15):
    rng = np.random.default_rng(0)
    x = rng.integers(0, 2, (n, 3))
    x[:, 1] = x[:, 0] ^ (rng.random(n) < 0.2)
    return np.where(rng.random(x.shape) < unknown, -1, x)


def test_the_observed_likelihood_never_falls_and_agrees_with_the_gradient():
    """graphical.27: two ways to one maximum."""
    codes = rows()
    found = fit_incomplete(FAMILY, codes, np.ones(200), tol=1e-5, max_iter=3000)
    assert found.status is Status.CONVERGED
    assert np.diff(found.trace["objective"]).max() <= 1e-10
    by_gradient = maximise_likelihood(FAMILY, codes, np.ones(200), tol=1e-7)
    assert found.objective == pytest.approx(by_gradient.objective, abs=1e-5)


def test_complete_rows_are_proportional_fitting():
    codes = rows(unknown=0.0)
    found = fit_incomplete(FAMILY, codes, np.ones(200), max_iter=3000)
    direct = fit_proportionally(FAMILY, clique_marginals(FAMILY, codes, np.ones(200)))
    assert found.objective == pytest.approx(direct.objective, abs=1e-7)


def test_cut_short():
    found = fit_incomplete(FAMILY, rows(), np.ones(200), max_iter=2)
    assert found.status is Status.MAX_ITER
