import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from margin.datasets import MIXED_SCALES, make_mixed_table


def test_every_kind_of_column():
    table = make_mixed_table(random_state=0)
    frame = table.frame
    assert list(frame.columns) == [*MIXED_SCALES, "churned"]
    assert frame["customer_id"].is_unique
    assert pd.api.types.is_datetime64_any_dtype(frame["signed_up"])
    assert frame["country"].nunique() == 1
    assert frame["comment"].nunique() == len(frame)
    assert frame["satisfaction"].cat.ordered
    assert set(frame["region"].dropna()) == {"north", "east", "south", "west"}
    assert pd.api.types.is_integer_dtype(frame["visits"])
    assert set(frame["churned"]) == {"yes", "no"}


def test_values_are_missing_at_the_rate_and_only_where_said():
    frame = make_mixed_table(20_000, missing_rate=0.2, random_state=1).frame
    rates = frame.isna().mean()
    gaps = ["age", "income", "region", "satisfaction"]
    assert np.abs(rates[gaps] - 0.2).max() < 5 * 0.5 / np.sqrt(20_000)
    assert rates.drop(gaps).max() == 0
    full = make_mixed_table(500, missing_rate=0.0, random_state=1).frame
    assert not full.isna().any(axis=None)


def score_of(table):
    """The law, written out again from the columns people see."""
    frame, effects = table.frame, table.effects
    days = (frame["signed_up"] - pd.Timestamp("2021-01-01")).dt.days
    return (
        effects["age"] * (frame["age"] - 45) / 14
        + effects["visits"] * (frame["visits"] - 6) / np.sqrt(6)
        - effects["tenure"] * (days - 547) / 316
        + frame["region"].map(effects["region"])
        + frame["satisfaction"].astype(str).map(effects["satisfaction"])
    ).to_numpy()


def test_classification_law():
    table = make_mixed_table(20_000, missing_rate=0.0, random_state=2)
    assert table.score == pytest.approx(score_of(table))
    assert table.probability == pytest.approx(expit(table.score))
    churned = (table.target == "yes").to_numpy()
    for low, high in ((0.0, 0.3), (0.3, 0.7), (0.7, 1.0)):
        here = (table.probability >= low) & (table.probability < high)
        expected = table.probability[here].mean()
        assert churned[here].mean() == pytest.approx(expected, abs=5 * 0.5 / np.sqrt(here.sum()))


def test_regression_law():
    table = make_mixed_table(20_000, task="regression", missing_rate=0.0, random_state=3)
    assert table.target_name == "spend"
    assert table.expected == pytest.approx(100 - 20 * score_of(table))
    residual = table.target.to_numpy() - table.expected
    assert residual.std() == pytest.approx(table.noise, rel=0.03)
    assert abs(residual.mean()) < 5 * table.noise / np.sqrt(20_000)


def test_seed_decides_and_bad_input_is_refused():
    first, second = (make_mixed_table(50, random_state=4).frame for _ in range(2))
    pd.testing.assert_frame_equal(first, second)
    with pytest.raises(ValueError, match="make_mixed_table: task must be one of"):
        make_mixed_table(task="ranking")
    with pytest.raises(ValueError, match="make_mixed_table: n_samples must be"):
        make_mixed_table(1)
    with pytest.raises(ValueError, match="make_mixed_table: missing_rate must be"):
        make_mixed_table(missing_rate=1.0)
