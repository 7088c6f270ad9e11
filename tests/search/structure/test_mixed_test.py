import numpy as np
import pandas as pd
import pytest

from margin.search import Categories, FisherZ, GTest, MixedColumns, MixedTest, Moments


def test_two_categories_are_a_g_test():
    X = np.random.default_rng(0).integers(0, 3, (120, 2))
    X[:60, 1] = X[:60, 0]
    mixed = MixedTest(MixedColumns.of("Test", X, categorical=[0, 1]))(0, 1)
    counted = GTest(Categories.of("Test", X))(0, 1)
    assert mixed.statistic == pytest.approx(counted.statistic, rel=1e-5)
    assert mixed.dof == counted.dof


def test_two_numbers_are_a_partial_correlation():
    X = np.random.default_rng(1).standard_normal((400, 3))
    X[:, 1] += 0.1 * X[:, 0] + X[:, 2]
    mixed = MixedTest(MixedColumns.of("Test", X))(0, 1, [2])
    assert mixed.p_value == pytest.approx(
        FisherZ(Moments.of("Test", X))(0, 1, [2]).p_value, rel=0.1
    )


def frame(rng, n=300):
    z = rng.standard_normal(n)
    a = np.where(z + 0.5 * rng.standard_normal(n) > 0, "up", "down")
    b = np.where(-z + 0.5 * rng.standard_normal(n) > 0, "yes", "no")
    c = z + rng.standard_normal(n)
    return pd.DataFrame({"a": a, "b": b, "c": c, "z": z})


def test_a_common_cause_explains_categories_and_numbers():
    test = MixedTest(MixedColumns.of("Test", frame(np.random.default_rng(2))))
    assert test(0, 1).p_value < 1e-8
    assert test(0, 1, [3]).p_value > 0.01
    assert test(0, 2).p_value < 1e-8
    assert test(2, 0, [3]).p_value == test(0, 2, [3]).p_value > 0.01


def test_level_under_independence():
    rng = np.random.default_rng(3)
    p_values = [
        MixedTest(MixedColumns.of("Test", frame(rng, 100)))(0, 1, [3]).p_value for _ in range(80)
    ]
    assert np.mean(np.array(p_values) < 0.05) < 0.13
    assert 0.3 < np.mean(p_values) < 0.7


def test_unknown_values_and_few_rows():
    table = frame(np.random.default_rng(4), 60)
    table.loc[:9, "a"] = None
    table.loc[5:14, "c"] = np.nan
    kept = table.iloc[15:]
    assert MixedTest(MixedColumns.of("Test", table))(0, 2).statistic == pytest.approx(
        MixedTest(MixedColumns.of("Test", kept))(0, 2).statistic
    )
    assert not MixedTest(MixedColumns.of("Test", table[20:23]))(1, 3).reliable


def test_separable_categories_stay_finite():
    table = pd.DataFrame({"x": ["a"] * 20 + ["b"] * 20, "y": ["c"] * 20 + ["d"] * 20})
    found = MixedTest(MixedColumns.of("Test", table))(0, 1)
    assert np.isfinite(found.statistic)
    assert found.statistic == pytest.approx(40 * 2 * np.log(2), rel=1e-3)


def test_bad_names():
    with pytest.raises(ValueError, match="categorical must be columns"):
        MixedColumns.of("Test", [[1.0]], categorical=["q"])


def test_more_numbers_than_a_category_may_have_states():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"x": rng.normal(size=66_000), "k": ["a", "b"] * 33_000})
    frame.loc[3, "x"] = np.nan
    table = MixedColumns.of("Example", frame)
    assert table.n_states == (0, 2)
    np.testing.assert_array_equal(table.values[:, 0], frame["x"])
    with pytest.raises(ValueError, match="Example: column 'x' must be observed somewhere"):
        MixedColumns.of("Example", frame.assign(x=np.nan))
