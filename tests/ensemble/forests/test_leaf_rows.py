import numpy as np

from margin.ensemble.forests._leaf_rows import LeafRows, proximity


def test_proximity_by_hand():
    leaves = np.array([[1, 2], [1, 3], [4, 3]], dtype=np.int32)
    np.testing.assert_array_equal(
        proximity(leaves, leaves), [[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]]
    )


def test_law_of_the_leaves_by_hand():
    leaves = np.array([[1, 1], [1, 2], [2, 2]], dtype=np.int32)
    rows = LeafRows.of(leaves, np.array([3, 3]), lambda _: np.ones(3), np.array([1.0, 2.0, 6.0]))
    law = rows.law(np.array([[1, 2]], dtype=np.int32))
    # Tree 0: targets 1 and 2; tree 1: targets 2 and 6; a quarter each.
    np.testing.assert_allclose(law.mean, [(1.5 + 4.0) / 2])
    np.testing.assert_allclose(law.cdf(2.0), [0.75])
    np.testing.assert_allclose(law.quantile(0.9), [6.0])
