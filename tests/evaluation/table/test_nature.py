"""What kind of quantity a target is."""

import numpy as np
import pandas as pd
import pytest

from margin.evaluation.table._nature import nature_of_classes, nature_of_numbers

RNG = np.random.default_rng(0)


def classes(values, name="y"):
    column = pd.Series(values, name=name)
    labels = (
        column.to_numpy()
        if column.dtype.kind == "i"
        else column.astype(object).to_numpy().astype(str)
    )
    return nature_of_classes(column, labels)


def test_ratings_are_ordered():
    assert classes(np.repeat(np.arange(3, 9), [2, 10, 60, 55, 20, 3]), "quality").levels == tuple(
        range(3, 9)
    )
    assert classes(np.repeat(np.arange(3, 9), [2, 10, 60, 55, 20, 3])).kinds == ("ordered",)
    assert classes(np.repeat([1, 2, 3], 10), "stars").levels == (1, 2, 3)


def test_codes_are_not():
    assert classes(np.repeat(np.arange(10), [17, 18, 17, 18, 18, 18, 18, 17, 17, 18])).plain
    assert classes(np.repeat([1, 2, 7], [9, 40, 3])).plain
    assert classes(["red", "green", "blue", "red"]).plain
    assert classes([0, 1, 0, 1], "rating").plain


def test_words_and_categories_have_their_order():
    assert classes(["high", "low", "medium"]).levels == ("low", "medium", "high")
    kind = pd.CategoricalDtype(["cold", "warm", "hot"], ordered=True)
    column = pd.Series(["hot", "cold", "warm"], dtype=kind, name="t")
    nature = nature_of_classes(column, column.astype(object).to_numpy().astype(str))
    assert nature.levels == ("cold", "warm", "hot")
    assert "cold < warm < hot" in nature.remarks[0]
    loose = column.astype(pd.CategoricalDtype(["cold", "warm", "hot"]))
    assert nature_of_classes(loose, loose.astype(object).to_numpy().astype(str)).plain


def test_counts():
    nature = nature_of_numbers(RNG.poisson(4, 300).astype(float), "visits")
    assert (nature.metric, nature.lower, nature.upper) == ("D² Poisson", 0.0, None)
    assert nature.remarks[0].startswith("'visits' counts")


@pytest.mark.parametrize(
    "y",
    [
        RNG.normal(size=300),
        RNG.normal(50, 9, 300).round(),
        RNG.uniform(size=300),
        RNG.integers(18, 90, 300).astype(float),
        np.arange(12.0),
    ],
)
def test_plain_numbers(y):
    assert nature_of_numbers(y).plain


def test_a_pile_at_the_top_is_a_bound():
    y = np.minimum(RNG.normal(2, 1, 500), 3.0)
    nature = nature_of_numbers(y, "price")
    assert (nature.kinds, nature.lower, nature.upper) == (("censored",), None, 3.0)
    assert "have its largest value, 3: it looks cut off" in nature.remarks[0]


def test_a_pile_at_the_bottom_is_a_bound():
    nature = nature_of_numbers(np.maximum(RNG.normal(size=500), 0.0))
    assert (nature.lower, nature.upper) == (0.0, None)


def test_long_tails_are_tried_on_the_logarithm():
    skewed = nature_of_numbers(np.exp(0.8 * RNG.normal(size=800)))
    assert (skewed.kinds, skewed.metric, skewed.logarithm) == (("skewed",), None, True)
    heavy = nature_of_numbers(np.exp(2.5 * RNG.normal(size=800)))
    assert (heavy.kinds, heavy.metric) == (("heavy-tailed",), "D² absolute")
    assert "one row in a hundred makes" in heavy.remarks[0]


def test_counts_with_a_tail_and_a_bound_keep_their_score():
    y = np.minimum(np.floor(np.exp(1.4 * RNG.normal(size=1500))), 30.0)
    nature = nature_of_numbers(y)
    assert nature.metric == "D² Poisson"
    assert nature.logarithm
