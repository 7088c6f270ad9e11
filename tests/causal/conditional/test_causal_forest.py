import numpy as np
from numpy.testing import assert_allclose

from margin.causal.conditional._causal_forest import BAG, grown


def test_steps_in_the_effect_are_found_with_their_errors():
    rng = np.random.default_rng(0)
    M = rng.uniform(-1, 1, (3000, 3))
    t = rng.choice([-0.5, 0.5], 3000)
    y = np.where(M[:, 0] > 0, 3.0, 1.0) * t + 0.5 * rng.standard_normal(3000)
    forest = grown(M, y, t, np.ones(3000), 100, 20, None, 0)
    grid = np.array([[-0.5, 0, 0], [0.5, 0, 0], [-0.5, 0.5, -0.5], [0.5, -0.5, 0.5]])
    assert_allclose(forest.values(grid), [1, 3, 1, 3], atol=0.4)
    assert (forest.errors(grid) < 0.4).all()
    assert (np.abs(forest.values(grid) - [1, 3, 1, 3]) < 4 * forest.errors(grid) + 0.1).all()
    assert len(forest.trees) % BAG == 0


def test_no_heterogeneity_gives_the_slope():
    rng = np.random.default_rng(1)
    M, t = rng.random((1000, 2)), rng.standard_normal(1000)
    y = 2 * t + 0.1 * rng.standard_normal(1000)
    forest = grown(M, y, t, np.ones(1000), 20, 30, 3, 0)
    assert_allclose(forest.values(M[:50]), 2, atol=0.1)
