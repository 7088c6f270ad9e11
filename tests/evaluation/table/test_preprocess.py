"""From the raw table to a matrix, learned on the rows of fit alone."""

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.base import clone
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline

from margin.evaluation import describe_columns, preprocessor
from margin.evaluation.table._preprocess import levels

N = 80


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "mass": rng.normal(size=N),
            "stars": rng.integers(1, 6, N),
            "grade": rng.choice(["low", "medium", "high"], N),
            "town": rng.choice(["a", "b", "c"], N),
            "since": pd.date_range("2023-01-01", periods=N, freq="3D").astype(str),
            "note": [
                " ".join(rng.choice(["late", "good", "bad", "ok"], 5)) + str(i) for i in range(N)
            ],
            "key": [f"k{i}" for i in range(N)],
        }
    )
    frame.loc[:9, ["mass", "town", "note"]] = None
    return frame


@pytest.fixture
def columns(table):
    return preprocessor(table, describe_columns(table))


def test_every_scale_becomes_finite_numbers(table, columns):
    Z = columns.fit_transform(table)
    assert Z.dtype == np.float64
    assert np.isfinite(Z).all()
    names = columns.get_feature_names_out().tolist()
    assert len(names) == Z.shape[1] == len(set(names))
    assert not any("key" in name for name in names)


def test_numbers_are_standardised_with_an_indicator_where_missing(table, columns):
    Z = pd.DataFrame(columns.fit_transform(table), columns=columns.get_feature_names_out())
    np.testing.assert_allclose(Z["numbers__mass"].mean(), 0, atol=1e-12)
    np.testing.assert_allclose(Z["numbers__mass"].std(ddof=0), 1)
    indicator = Z["numbers__missingindicator_mass"]
    np.testing.assert_array_equal(indicator > 0, table["mass"].isna())


def test_ordered_words_keep_their_order(table, columns):
    Z = pd.DataFrame(columns.fit_transform(table), columns=columns.get_feature_names_out())
    means = Z["ranks 0__grade"].groupby(table["grade"]).mean()
    assert means["low"] < means["medium"] < means["high"]


def test_nothing_is_learned_from_rows_outside_fit(table, columns):
    inside = table.iloc[:60]
    alone = clone(columns).fit(inside).transform(inside)
    changed = table.copy()
    changed.loc[60:, "mass"] = 1e6
    changed.loc[60:, "town"] = "elsewhere"
    together = clone(columns).fit(changed.iloc[:60]).transform(inside)
    np.testing.assert_array_equal(alone, together)


def test_unseen_levels_extra_columns_and_other_types_are_no_trouble(table, columns):
    columns.fit(table)
    new = table.iloc[:3].assign(town="nowhere", grade="unheard of", extra=1, stars=[1.0, None, 2.0])
    assert np.isfinite(columns.transform(new[new.columns[::-1]])).all()


def test_a_missing_column_is_named(table, columns):
    columns.fit(table)
    with pytest.raises(ValueError, match="town"):
        columns.transform(table.drop(columns="town"))


def test_a_column_empty_in_the_training_rows_keeps_its_place(table, columns):
    inside = table.iloc[:40].assign(mass=np.nan)
    Z = columns.fit(inside).transform(table)
    assert np.isfinite(Z).all()


def test_rows_without_any_text_are_no_trouble(table, columns):
    silent = table.iloc[:40].assign(note=None)
    assert np.isfinite(columns.fit(silent).transform(table)).all()


def test_many_levels_make_few_columns():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"shop": rng.integers(0, 3000, 10_000).astype(str) + "s"})
    Z = preprocessor(frame, describe_columns(frame)).fit_transform(frame)
    assert Z.shape[1] <= 21


def test_a_table_without_usable_columns_is_refused(table):
    with pytest.raises(ValueError, match="no column is left to learn from"):
        preprocessor(table, describe_columns(table[["key"]]))


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (pd.Categorical(["b", "a"], categories=["b", "a"], ordered=True), ["b", "a"]),
        (["Often", "never"], ["never", "rarely", "sometimes", "often", "always"]),
        (["v2", "v1", "v3"], ["v1", "v2", "v3"]),
        (["3", "1"], None),
    ],
)
def test_order_of_the_levels(values, expected):
    assert levels(pd.Series(values)) == expected


def test_ordered_categories_follow_their_own_order():
    sizes = pd.Categorical(["S", "XL", "S", "L"], categories=["XL", "L", "S"], ordered=True)
    frame = pd.DataFrame({"size": sizes})
    z = preprocessor(frame, describe_columns(frame)).fit_transform(frame).ravel()
    assert z[1] < z[3] < z[0] == z[2]


def test_a_saved_pipeline_takes_the_raw_table(table, columns):
    model = make_pipeline(columns, LinearRegression()).fit(table, np.arange(N))
    data = skops.io.dumps(model)
    unknown = skops.io.get_untrusted_types(data=data)
    assert all(name.startswith(("margin.", "numpy.", "sklearn.")) for name in unknown)
    loaded = skops.io.loads(data, trusted=unknown)
    np.testing.assert_array_equal(loaded.predict(table), model.predict(table))
