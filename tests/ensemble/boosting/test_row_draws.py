import numpy as np

from margin.ensemble.boosting._row_draws import left_out, one_side, share_of_rows


def test_shares():
    for n, share, size in ((100, 0.3, 30), (7, 0.5, 3), (3, 0.01, 1), (10, 0.99, 9)):
        rows = share_of_rows(n, share, np.random.default_rng(0))
        assert len(np.unique(rows)) == size
        assert (np.diff(rows.astype(int)) > 0).all()
        np.testing.assert_array_equal(np.flatnonzero(~left_out(rows, n)), rows)


def test_one_side_keeps_the_sum_of_small_slopes_on_average():
    rng = np.random.default_rng(0)
    slope = rng.exponential(size=(1, 1000)).astype(np.float32)
    totals = []
    for seed in range(200):
        g = slope.copy()
        rows = one_side(g, None, np.random.default_rng(seed))
        assert len(rows) == 300
        assert np.isin(np.argsort(-slope[0])[:200], rows).all()
        totals.append(g[0, rows].sum())
    assert abs(np.mean(totals) / slope.sum() - 1) < 0.01
