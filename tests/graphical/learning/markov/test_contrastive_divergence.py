import numpy as np
import pytest

from margin.core import Status
from margin.graphical.learning.markov._contrastive_divergence import _sweep, contrast
from margin.graphical.learning.markov._log_linear import LogLinear
from margin.graphical.learning.markov._markov_gradient import maximise_likelihood

PAIR = np.array([[1.0, -1, -1, 1]])
RING = LogLinear((2,) * 4, ((0, 1), (1, 2), (2, 3), (3, 0)), (PAIR,) * 4)


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    chains = rng.integers(0, 2, (1500, 4))
    for _ in range(30):
        _sweep(RING, np.array([0.5, -0.4, 0.3, 0.2]), chains, rng)
    return chains


@pytest.mark.parametrize("persistent", [False, True])
def test_near_the_maximum_of_the_likelihood(rows, persistent):
    rng = np.random.default_rng(1)
    found = contrast(RING, rows, np.ones(1500), rng, persistent=persistent, max_iter=300, tol=0.05)
    exact = maximise_likelihood(RING, rows, np.ones(1500))
    np.testing.assert_allclose(found.x, exact.x, atol=0.06)
    assert found.status is Status.CONVERGED


def test_gibbs_sweeps_keep_the_model(rows):
    expected = RING.expectation(np.array([0.5, -0.4, 0.3, 0.2]))[1]
    shown = RING.statistics(RING.counts(rows, np.full(1500, 1 / 1500)))
    np.testing.assert_allclose(shown, expected, atol=0.1)


def test_seed_repeats_and_a_short_run_says_so(rows):
    runs = [
        contrast(RING, rows[:50], np.ones(50), np.random.default_rng(3), max_iter=3, tol=1e-9)
        for _ in range(2)
    ]
    np.testing.assert_array_equal(runs[0].x, runs[1].x)
    assert runs[0].status is Status.MAX_ITER
    assert "raise max_iter" in runs[0].message
