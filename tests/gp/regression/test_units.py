"""Units of the targets."""

import numpy as np

from margin.gp.regression._units import Units

COLUMNS = np.array([[1.0, 5.0, np.nan], [3.0, 5.0, 2.0], [8.0, 5.0, 4.0]])


def test_there_and_back():
    units = Units.of(COLUMNS)
    scaled = units.scaled(COLUMNS)
    np.testing.assert_allclose(np.nanmean(scaled, axis=0), 0.0, atol=1e-15)
    np.testing.assert_allclose(np.nanstd(scaled, axis=0), [1.0, 0.0, 1.0])
    np.testing.assert_allclose(units.mean(scaled), COLUMNS)
    np.testing.assert_allclose(units.spread(np.ones(3)) ** 2, units.var(np.ones(3)))


def test_a_constant_target_has_no_scale():
    assert Units.of(COLUMNS).size[1] == 1.0
    assert Units.of(np.full((7, 1), 0.1 + 0.2)).size[0] == 1.0


def test_targets_as_they_are():
    np.testing.assert_array_equal(Units.none(3).scaled(COLUMNS), COLUMNS)


def test_units_of_huge_and_tiny_targets():
    for factor in (2.0**1000, 2.0**-1000):
        units = Units.of(factor * COLUMNS[:, :1])
        np.testing.assert_array_equal(
            units.scaled(factor * COLUMNS[:, :1]), Units.of(COLUMNS).scaled(COLUMNS)[:, :1]
        )
        assert units.size[0] == factor * Units.of(COLUMNS).size[0]
