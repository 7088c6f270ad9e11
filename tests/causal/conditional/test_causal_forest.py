import numpy as np
from numpy.testing import assert_allclose

from margin.causal.conditional._causal_forest import BAG, at_least_zero, grown


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


def test_intervals_cover_at_their_level():
    """The spread over samples is what the errors say, and 95 % of the intervals hold the truth."""
    grid = np.random.default_rng(9).uniform(-0.8, 0.8, (12, 2))
    grid = grid[np.abs(grid[:, 0]) > 0.2]
    truth = 1 + (grid[:, 0] > 0)
    values, errors = [], []
    for seed in range(50):
        rng = np.random.default_rng(seed)
        M, t = rng.uniform(-1, 1, (600, 2)), rng.choice([-0.5, 0.5], 600)
        y = np.where(M[:, 0] > 0, 2.0, 1.0) * t + rng.standard_normal(600)
        forest = grown(M, y, t, np.ones(600), 100, 10, None, seed)
        values.append(forest.values(grid))
        errors.append(forest.errors(grid))
    values, errors = np.array(values), np.array(errors)
    ratio = np.sqrt((errors**2).mean() / values.var(axis=0, ddof=1).mean())
    assert 0.9 < ratio < 1.3
    around_mean = np.abs(values - values.mean(axis=0)) < 1.96 * errors
    assert 0.91 < around_mean.mean() < 0.99
    assert (np.abs(values - truth) < 1.96 * errors).mean() > 0.88


def test_a_variance_that_cannot_be_negative():
    """Against the mean of a normal law cut at zero, by simulation."""
    rng = np.random.default_rng(0)
    for estimate, s in ((0.5, 1.0), (-0.7, 0.5), (4.0, 1.0)):
        drawn = estimate + s * rng.standard_normal(400_000)
        expected = drawn[drawn > 0].mean()
        got = at_least_zero(np.array([estimate]), np.array([s**2]))
        assert_allclose(got, expected, rtol=0.02)
    # far below: log-densities keep their digits
    far = at_least_zero(np.array([-60.0]), np.array([1.0]))
    assert_allclose(far, 1 / 60, rtol=0.01)


def test_one_bag_still_tells_something():
    rng = np.random.default_rng(1)
    M, t = rng.random((200, 1)), rng.standard_normal(200)
    forest = grown(M, t + rng.standard_normal(200), t, np.ones(200), 4, 10, None, 0)
    assert (forest.errors(M[:5]) > 0).all()
