from itertools import product

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference import swendsen_wang


def enumerated(edges, coupling, field):
    """Every assignment of a small model with its probability."""
    n, k = field.shape
    states = np.array(list(product(range(k), repeat=n)))
    left, right = np.array(edges).T
    log_p = (states[:, left] == states[:, right]) @ coupling + field[np.arange(n), states].sum(1)
    p = np.exp(log_p - log_p.max())
    return states, p / p.sum()


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("pulled", [False, True])
def test_the_law_of_a_small_model(k, pulled):
    """inference.26: shares of all assignments, by enumeration."""
    rng = np.random.default_rng(k)
    edges = [[0, 1], [1, 2], [2, 3], [3, 0], [0, 2]]
    coupling = rng.uniform(0.2, 1.5, size=5)
    field = rng.normal(size=(4, k)) if pulled else np.zeros((4, k))
    chains = swendsen_wang(
        edges, coupling, n_nodes=4, n_states=k, field=field, n_draws=1500, random_state=0
    )
    states, p = enumerated(edges, coupling, field)
    keys = np.ravel_multi_index(chains.pooled.astype(int).T, (k,) * 4)
    order = np.ravel_multi_index(states.T, (k,) * 4)
    shares = np.bincount(keys, minlength=k**4)[order] / len(keys)
    assert_allclose(shares, p, atol=0.025)


def test_a_large_grid_keeps_moving_where_order_sets_in():
    """At the critical coupling of Ising, the mean of all spins mixes within a few moves."""
    size = 24
    grid = np.arange(size * size).reshape(size, size)
    edges = np.concatenate([
        np.column_stack([grid[:, :-1].ravel(), grid[:, 1:].ravel()]),
        np.column_stack([grid[:-1].ravel(), grid[1:].ravel()]),
    ])  # fmt: skip
    critical = np.log(1 + np.sqrt(2.0))
    chains = swendsen_wang(
        edges, critical, n_nodes=size * size, n_draws=400, n_chains=2, random_state=0
    )
    magnetised = 2 * chains.draws.mean(axis=-1) - 1
    assert np.abs(magnetised.mean()) < 0.2
    assert np.abs(magnetised).mean() > 0.2  # one spin in 24 were they free
    assert (np.diff(np.sign(magnetised), axis=1) != 0).mean() > 0.2


def test_what_is_refused():
    with pytest.raises(ValueError, match="swendsen_wang: coupling must be finite and not negative"):
        swendsen_wang([[0, 1]], -1.0, n_nodes=2)
    with pytest.raises(ValueError, match="edges must be nodes from 0 to 1"):
        swendsen_wang([[0, 2]], 1.0, n_nodes=2)
    with pytest.raises(ValueError, match="field must be finite, of shape"):
        swendsen_wang([[0, 1]], 1.0, n_nodes=2, field=np.zeros(3))
    with pytest.raises(ValueError, match="n_states must be an integer of at least 2"):
        swendsen_wang([[0, 1]], 1.0, n_nodes=2, n_states=1)
