import numpy as np

from margin.ensemble.forests._draws import Draws, batches, tree_weights


def test_share_left_out_is_one_over_e():
    """tree.09: a row is missed by a bootstrap with probability (1 - 1/n)^n."""
    draws = Draws(5000, 3, np.arange(20), 5000)
    share = np.mean([len(draws.left_out(t)) for t in range(20)]) / 5000
    assert abs(share - np.exp(-1)) < 0.005
    assert len(draws.rows(0)) == 5000


def test_without_bootstrap_all_rows_are_seen():
    draws = Draws(10, 3, np.arange(2))
    assert len(draws.left_out(0)) == 0
    assert tree_weights(draws, range(2), None, None) is None


def test_columns_of_a_tree():
    flags = Draws(10, 6, np.arange(4), None, 2).columns(range(4))
    np.testing.assert_array_equal(flags.sum(axis=1), [2, 2, 2, 2])
    assert len({tuple(row) for row in flags}) > 1


def test_balance_within_each_tree():
    codes = np.array([[0] * 90 + [1] * 10])
    draws = Draws(100, 2, np.arange(3), 100)
    for row in tree_weights(draws, range(3), None, codes):
        np.testing.assert_allclose(row[:90].sum(), row[90:].sum())


def test_batches_cover_all_trees():
    trees = [t for part in batches(23, 3, 1000, 2) for t in part]
    assert trees == list(range(3, 23))
