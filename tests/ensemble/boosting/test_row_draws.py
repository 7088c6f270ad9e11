import numpy as np

from margin.ensemble.boosting._boost_settings import BoostSettings
from margin.ensemble.boosting._objective import SquaredObjective
from margin.ensemble.boosting._row_draws import (
    as_drawn,
    drawn_rows,
    left_out,
    one_side,
    share_of_rows,
)
from margin.search import GrowthRules


def test_shares():
    for n, share, size in ((100, 0.3, 30), (7, 0.5, 3), (3, 0.01, 1), (10, 0.99, 9)):
        rows = share_of_rows(n, share, np.random.default_rng(0))
        assert len(np.unique(rows)) == size
        assert (np.diff(rows.astype(int)) > 0).all()
        np.testing.assert_array_equal(np.flatnonzero(~left_out(rows, n)), rows)


def test_one_side_keeps_sums_on_average():
    rng = np.random.default_rng(0)
    slope = rng.exponential(size=1000).astype(np.float32)
    totals = []
    for seed in range(200):
        rows, stands_for = one_side(slope, np.random.default_rng(seed))
        assert len(rows) == 300
        large = np.argsort(-slope)[:200]
        assert np.isin(large, rows).all()
        np.testing.assert_array_equal(stands_for[large], 1.0)
        assert stands_for[rows].sum() == 1000
        totals.append((slope * stands_for)[rows].sum())
    assert abs(np.mean(totals) / slope.sum() - 1) < 0.01


def test_rows_that_stand_for_several():
    """Slopes and curvatures grow alike, also where a curvature of one is left out."""
    g, stands_for = np.ones(3, dtype=np.float32), np.array([1.0, 4.0, 1.0])
    slopes, bends = as_drawn(g, None, stands_for)
    np.testing.assert_array_equal(slopes, [1, 4, 1])
    np.testing.assert_array_equal(bends, slopes)
    np.testing.assert_array_equal(g, 1.0)
    h = np.full(3, 0.5, dtype=np.float32)
    slopes, bends = as_drawn(g, h, stands_for)
    np.testing.assert_array_equal(slopes, [1, 4, 1])
    np.testing.assert_array_equal(bends, [0.5, 2.0, 0.5])
    assert as_drawn(g, h, None) == (g, h)


def test_which_rows_a_stage_has():
    raw, rng = np.zeros((1, 100)), np.random.default_rng(0)
    slopes = SquaredObjective(np.arange(100.0), None).slopes(100)
    slopes.move(raw)
    rules = GrowthRules()
    assert drawn_rows(slopes, raw, BoostSettings(5, 0.1, rules), 1, rng) == (None, None)
    half = BoostSettings(5, 0.1, rules, subsample=0.5)
    rows, stands_for = drawn_rows(slopes, raw, half, 1, rng)
    assert len(rows) == 50
    assert stands_for is None
    one = BoostSettings(5, 0.1, rules, one_side=True)
    assert drawn_rows(slopes, raw, one, 10, rng) == (None, None)  # the first stages see all rows
    rows, stands_for = drawn_rows(slopes, raw, one, 11, rng)
    assert len(rows) == 30
    assert set(range(80, 100)) <= set(rows.tolist())
    assert stands_for[rows].sum() == 100
