"""graphical.28 and graphical.30: tests on counts, with the numbers of the worked examples."""

import numpy as np
import pytest

from margin.datasets import load_berkeley, load_kidney_stones
from margin.search import Categories, ChiSquaredTest, GTest, table_test

DEPARTMENTS = {
    "A": (19.05400994, 1.27070e-05),
    "B": (0.25864295, 0.611054),
    "C": (0.75098435, 0.386165),
    "D": (0.29786652, 0.585223),
    "E": (0.99038637, 0.319648),
    "F": (0.33384938, 0.563401),
}


@pytest.fixture(scope="module")
def berkeley():
    data = load_berkeley()
    return Categories.of("Test", np.column_stack([data.data, data.target])).compressed()


def test_berkeley_total(berkeley):
    """graphical.28, graphical.30."""
    found = GTest(berkeley)(0, 2)
    assert found.statistic == pytest.approx(111.82992397, abs=5e-9)
    assert found.p_value == pytest.approx(3.893e-26, rel=1e-3)
    assert ChiSquaredTest(berkeley)(0, 2).statistic == pytest.approx(110.31957188, abs=5e-9)
    assert GTest(berkeley)(0, 1).statistic == pytest.approx(1260.385796, abs=5e-7)
    assert GTest(berkeley)(1, 2).dof == 5


@pytest.mark.parametrize(
    ("aggregate", "p_value"), [("sum", 0.00138029), ("max", 0.611054), ("bonferroni", 7.6242e-05)]
)
def test_berkeley_given_department(berkeley, aggregate, p_value):
    """graphical.28: three ways to combine strata."""
    test = GTest(berkeley, aggregate=aggregate)
    for found in (test(0, 2, [1]), test.stratified(0, 2, [1])):
        assert found.statistic == pytest.approx(21.68573951, abs=5e-9)
        assert found.dof == 6
        assert found.p_value == pytest.approx(p_value, rel=1e-5)


def test_berkeley_by_department(berkeley):
    """graphical.28, graphical.30."""
    strata = GTest(berkeley).stratified(0, 2, [1]).strata
    for stratum, (value, p_value) in zip(strata, DEPARTMENTS.values(), strict=True):
        assert stratum.statistic == pytest.approx(value, abs=5e-9)
        assert stratum.p_value == pytest.approx(p_value, rel=1e-5)
    pearson = ChiSquaredTest(berkeley).stratified(0, 2, [1]).strata[0]
    assert pearson.statistic == pytest.approx(17.24801344, abs=5e-9)
    assert pearson.p_value == pytest.approx(3.2804e-05, rel=1e-4)


def test_kidney_stones():
    """graphical.30."""
    counts = load_kidney_stones().counts.sum(axis=0)
    assert table_test(counts, "chi-squared").statistic == pytest.approx(2.31058848, abs=5e-9)
    assert table_test(counts).statistic == pytest.approx(2.31482869, abs=5e-9)


def test_maximum_of_p_values_has_no_power():
    """One dependent stratum among many is found by the sum, never by the largest p-value."""
    rng = np.random.default_rng(0)
    hits = {"sum": 0, "max": 0, "bonferroni": 0}
    for _ in range(40):
        z = np.repeat(np.arange(5), 80)
        x = rng.integers(0, 2, 400)
        y = np.where(z == 0, x, rng.integers(0, 2, 400))
        table = Categories.of("Test", np.column_stack([x, y, z]))
        for name in hits:
            hits[name] += GTest(table, aggregate=name)(0, 1, [2]).p_value < 0.05
    assert hits["sum"] == hits["bonferroni"] == 40
    assert hits["max"] < 5


def test_level_under_independence():
    rng = np.random.default_rng(1)
    rejected = [
        GTest(Categories.of("Test", rng.integers(0, 3, (300, 3))))(0, 1, [2]).p_value < 0.05
        for _ in range(300)
    ]
    assert 0.02 < np.mean(rejected) < 0.09


def test_one_state_is_independent_of_everything():
    table = Categories.of("Test", np.column_stack([np.zeros(10, int), np.arange(10) % 2]))
    found = GTest(table)(0, 1)
    assert (found.statistic, found.dof, found.p_value) == (0.0, 0.0, 1.0)
    assert table_test(np.zeros((2, 2))).p_value == 1.0


def test_bad_aggregate():
    with pytest.raises(ValueError, match="GTest: aggregate must be"):
        GTest(Categories.of("Test", [[0, 1]]), aggregate="mean")


def test_small_sample_guard():
    """graphical.31: the rule of five."""
    table = Categories.of("Test", np.random.default_rng(2).integers(0, 4, (100, 3)))
    assert GTest(table, min_count=5.0)(0, 1).reliable
    assert not GTest(table, min_count=5.0)(0, 1, [2]).reliable
