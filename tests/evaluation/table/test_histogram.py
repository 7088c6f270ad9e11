"""Small histograms of columns."""

import numpy as np
import pandas as pd
import pytest

from margin.evaluation.table._histogram import histogram


def test_few_numbers_have_a_bar_each():
    spread = histogram(pd.Series([5, 1, 1, 2, np.nan]).dropna(), "numeric")
    assert spread.counts == (2, 1, 1)
    assert spread.edges == (0.5, 1.5, 3.5, 6.5)


def test_many_numbers_are_binned_and_none_is_lost():
    values = np.random.default_rng(0).exponential(size=500)
    spread = histogram(pd.Series(values), "numeric")
    assert sum(spread.counts) == 500
    assert len(spread.edges) == len(spread.counts) + 1 == 21
    assert (spread.edges[0], spread.edges[-1]) == (values.min(), values.max())


def test_levels_by_frequency_and_the_rest():
    values = pd.Series([f"level {i}" for i in range(20)] * 2 + ["often"] * 9)
    spread = histogram(values, "nominal")
    assert spread.levels[0] == "often"
    assert spread.counts[0] == 9
    assert len(spread.levels) == 12
    assert sum(spread.counts) + spread.n_rest == len(values)


@pytest.mark.parametrize(
    "values", [pd.to_datetime(["2020-01-01", "2020-02-01"]), ["2020-01-01", "2020-02-01"]]
)
def test_dates(values):
    spread = histogram(pd.Series(values), "date")
    assert spread.counts == (1, 1)
    assert spread.edges[1] == (18262 + 18293) / 2


def test_codes_that_are_names():
    assert histogram(pd.Series([3, 1, 3]), "nominal").levels == ("3", "1")
    assert histogram(pd.Series([True, False, True]), "numeric").levels == ("True", "False")


@pytest.mark.parametrize(
    ("values", "scale"),
    [
        ([], "numeric"),
        (["some words"], "text"),
        ([7.0, 7.0], "numeric"),
        ([np.inf, 1.0], "numeric"),
        ([-1.7e308, 1.7e308], "numeric"),
        ([1.0, np.nextafter(1.0, 2.0)], "numeric"),
    ],
)
def test_nothing_to_draw(values, scale):
    assert histogram(pd.Series(values, dtype=object if scale == "text" else float), scale) is None
