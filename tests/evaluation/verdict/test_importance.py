"""Which columns the fitted model leans on."""

import numpy as np
import pandas as pd
import pytest

from margin.evaluation import Metric, permutation_importance

RNG = np.random.default_rng(0)
R2 = Metric("R²")


class Sum:
    """Predicts a fixed weighted sum of its columns."""

    def __init__(self, **weights):
        self.weights = weights

    def predict(self, X):
        return sum(w * X[name].to_numpy() for name, w in self.weights.items())


@pytest.fixture
def table():
    return pd.DataFrame(RNG.normal(size=(1500, 3)), columns=["a", "b", "c"], index=range(5, 1505))


def test_shuffling_costs_twice_the_share_of_variance(table):
    """For y = 2a + b with independent columns, shuffling one doubles its part of the error."""
    y = (2 * table["a"] + table["b"]).to_numpy()
    found = permutation_importance(Sum(a=2, b=1), table, y, metric=R2, seed=0)
    assert [item.feature for item in found] == ["a", "b", "c"]
    assert [item.mean for item in found] == pytest.approx([2 * 4 / 5, 2 * 1 / 5, 0], abs=0.06)
    assert found[2].mean == found[2].std == 0.0


def test_same_seed_same_answer(table):
    y = table["a"].to_numpy()
    first, second = (
        permutation_importance(Sum(a=1), table, y, metric=R2, seed=3) for _ in range(2)
    )
    assert first == second


def test_the_table_is_left_alone(table):
    before = table.copy()
    permutation_importance(Sum(a=1), table, table["a"].to_numpy(), metric=R2, seed=0)
    pd.testing.assert_frame_equal(table, before)


def test_text_and_dates_are_shuffled_as_they_are():
    frame = pd.DataFrame({"w": ["x", "y"] * 50, "d": pd.date_range("2024", periods=100)})

    class Reads:
        def predict(self, X):
            assert X["d"].dtype == frame["d"].dtype
            return np.asarray(X["w"], dtype=str)

    (w, d) = permutation_importance(
        Reads(), frame, frame["w"].to_numpy().astype(str), metric=Metric("accuracy"), seed=0
    )
    assert (w.feature, d.feature, d.mean) == ("w", "d", 0.0)
    assert w.mean == pytest.approx(0.5, abs=0.15)


def test_many_rows_are_sampled(table):
    seen = []

    class Counts(Sum):
        def predict(self, X):
            seen.append(len(X))
            return super().predict(X)

    large = pd.concat([table] * 3, ignore_index=True)
    permutation_importance(Counts(a=1), large, large["a"].to_numpy(), metric=R2, seed=0)
    assert max(seen) == 5 * 2000


def test_of_many_columns_the_promising_are_tried():
    frame = pd.DataFrame(RNG.normal(size=(300, 150))).add_prefix("g")
    found = permutation_importance(
        Sum(g149=1.0), frame, frame["g149"].to_numpy(), metric=R2, seed=0
    )
    assert len(found) == 100
    assert found[0].feature == "g149"


def test_a_deadline_stops_early(table):
    y = table["a"].to_numpy()
    assert permutation_importance(Sum(a=1), table, y, metric=R2, seed=0, deadline=0.0) == ()
