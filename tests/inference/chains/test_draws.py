import numpy as np

from margin.inference import chain_filter, chain_sample, chain_smooth, chain_walk


def test_backward_sampling_has_the_smoothed_frequencies():
    """sequence.12: forward filtering, backward sampling."""
    rng = np.random.default_rng(0)
    start, matrix = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(3), 3)
    table = rng.normal(size=(5, 3)) * 2
    filtered, _ = chain_filter(table, [0, 5], start, matrix)
    drawn = chain_sample(filtered, [0, 5], matrix, 20_000, rng)
    share = (drawn[:, :, None] == np.arange(3)).mean(axis=0)
    np.testing.assert_allclose(
        share, chain_smooth(table, [0, 5], start, matrix).posterior, atol=0.02
    )


def test_walks_repeat_with_the_seed_and_count_like_the_chain():
    """sequence.01: sampling."""
    A = np.array([[0.9, 0.1], [0.5, 0.5]])
    walk = chain_walk([0.5, 0.5], A, [40_000], np.random.default_rng(1))
    again = chain_walk([0.5, 0.5], A, [40_000], np.random.default_rng(1))
    np.testing.assert_array_equal(walk, again)
    moved = walk[1:][walk[:-1] == 0]
    assert abs(moved.mean() - 0.1) < 0.01
