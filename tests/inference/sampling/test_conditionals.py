import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference import sample_gibbs


def test_blocks_of_a_normal_law():
    truth = np.array([[2.0, 0.8, 0.3], [0.8, 1.0, 0.2], [0.3, 0.2, 1.5]])

    def conditional(block, others):
        inner = truth[np.ix_(block, others)] @ np.linalg.inv(truth[np.ix_(others, others)])
        rest = truth[np.ix_(block, block)] - inner @ truth[np.ix_(others, block)]
        root = np.linalg.cholesky(rest)
        return lambda x, rng: inner @ x[others] + root @ rng.standard_normal(len(block))

    blocks = [((0, 1), conditional([0, 1], [2])), ((2,), conditional([2], [0, 1]))]
    chains = sample_gibbs(blocks, np.zeros(3), n_draws=4000, random_state=0, names=list("abc"))
    assert_allclose(chains.covariance, truth, atol=0.12)
    assert chains.names == ("a", "b", "c")


def test_a_mixed_hierarchy():
    """Beta-binomial: shares given counts and counts given shares (inference.24)."""
    draws = [
        lambda x, rng: rng.binomial(10, x[1]),
        lambda x, rng: rng.beta(2 + x[0], 3 + 10 - x[0]),
    ]
    chains = sample_gibbs(draws, np.array([5.0, 0.5]), n_draws=5000, random_state=0)
    assert chains.mean[0] == pytest.approx(4.0, abs=0.15)
    assert chains.mean[1] == pytest.approx(0.4, abs=0.015)


def test_the_density_is_kept_beside_the_draws():
    draw = [lambda x, rng: rng.standard_normal()]
    chains = sample_gibbs(draw, np.zeros(1), log_density=lambda x: -0.5 * float(x @ x), n_draws=50)
    assert_allclose(chains.log_density, -0.5 * chains.draws[:, :, 0] ** 2)
    assert abs(chains.best[0]) == np.abs(chains.pooled).min()


def test_every_coordinate_must_be_drawn():
    with pytest.raises(ValueError, match="sample_gibbs: conditionals must be blocks that cover"):
        sample_gibbs([lambda x, rng: 0.0], np.zeros(2))
