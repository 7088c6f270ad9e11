"""Inference of the scale of one column."""

from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from margin.evaluation.table import _scales

RNG = np.random.default_rng(0)
N = 60
WORDS = ["slow", "fast", "red", "blue", "car", "bus"]
CASES = {
    "floats": (RNG.normal(size=N), "numeric"),
    "whole numbers": (RNG.integers(0, 500, N), "numeric"),
    "number texts": (RNG.normal(size=N).astype(str), "numeric"),
    "decimals": ([Decimal(i) / 7 for i in range(N)], "numeric"),
    "nullable": (pd.array([*range(100, 100 + N - 1), None], dtype="Int64"), "numeric"),
    "durations": (pd.to_timedelta(RNG.integers(0, 999, N), unit="h"), "numeric"),
    "two numbers": (RNG.integers(0, 2, N) * 7.0, "nominal"),
    "booleans": (RNG.random(N) < 0.5, "nominal"),
    "boolean objects": ([True, None, False] * 20, "nominal"),
    "texts": (RNG.choice(["basel", "bern", "zug"], N), "nominal"),
    "categories": (pd.Categorical(RNG.choice(["u", "v"], N)), "nominal"),
    "value or missing": ([1.0, np.nan] * 30, "nominal"),
    "ratings": (RNG.integers(1, 6, N), "ordinal"),
    "ratings with gaps": (np.where(RNG.random(N) < 0.1, np.nan, RNG.integers(1, 6, N)), "ordinal"),
    "ordered words": (RNG.choice(["Low", "medium", "HIGH"], N), "ordinal"),
    "ordered categories": (pd.Categorical(RNG.choice(["p", "q"], N), ordered=True), "ordinal"),
    "date type": (pd.date_range("2024-01-01", periods=N), "date"),
    "date objects": (list(pd.date_range("2024-01-01", periods=N).date), "date"),
    "periods": (pd.period_range("2024-01", periods=N, freq="M"), "date"),
    "date texts": ([f"{1 + i % 28}.{1 + i % 12}.2024" for i in range(N)], "date"),
    "sentences": ([" ".join(RNG.permutation(WORDS)) + f" {i}" for i in range(N)], "text"),
    "own text": ([f"k{i}" for i in range(N)], "identifier"),
    "row number": (np.arange(N), "identifier"),
    "customer_id": (RNG.permutation(9000)[:N], "identifier"),
    "PassengerId": (RNG.permutation(9000)[:N], "identifier"),
    "few repeats": ([f"k{i % 45}" for i in range(N)], "identifier"),
    "constant": ([3.5] * N, "constant"),
    "empty": ([np.nan] * N, "empty"),
}


@pytest.mark.parametrize("name", CASES)
def test_scale(name):
    values, scale = CASES[name]
    inferred = _scales.infer(name, pd.Series(values))
    assert inferred.scale == scale
    assert inferred.reason


@pytest.mark.parametrize("name", ["paid", "acid", "grid", "width"])
def test_words_that_end_like_an_identifier_are_none(name):
    assert _scales.infer(name, pd.Series(RNG.permutation(9000)[:N])).scale == "numeric"


def test_whole_numbers_that_all_differ_stay_numbers():
    incomes = RNG.permutation(90_000)[:N]
    assert _scales.infer("income", pd.Series(incomes)).scale == "numeric"


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([1, "two", 3], "mixes types .*int such as 1.*str such as 'two'"),
        (["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "oops"], "text such as 'oops'"),
        ([[1], [2]], "got values of type list"),
    ],
)
def test_mixed_columns_are_refused_by_name(values, words):
    with pytest.raises(ValueError, match=f"column 'c'.*{words}"):
        _scales.infer("c", pd.Series(values, dtype=object))


def test_a_column_that_is_mostly_but_not_nearly_all_numbers_is_text():
    tickets = [str(i) for i in range(30)] + [f"A{i}" for i in range(10)]
    assert _scales.infer("ticket", pd.Series(tickets)).scale == "identifier"


def test_ordered_words_in_any_spelling():
    assert _scales.ordered_words({"Very-High", "LOW "})[1] == "low"
    assert _scales.ordered_words({"low", "purple"}) is None
    assert _scales.ordered_words({"low"}) is None


def test_no_ordered_scale_repeats_a_word():
    for scale in _scales.ORDERED_WORDS:
        assert len(set(scale)) == len(scale)
        assert all(_scales.plain(word) == word for word in scale)


def named(n, seed=0):
    rng = np.random.default_rng(seed)
    titles, letters = ["Mr.", "Mrs.", "Dr."], list("abcdefghijklmnopqrstuvwxyz")
    return pd.Series([f"{rng.choice(titles)} {''.join(rng.choice(letters, 7))}" for _ in range(n)])


def test_names_are_text_and_codes_are_not():
    assert _scales.infer("name", named(100)) == ("text", "short texts that share words")
    assert _scales.infer("client_id", named(100)).scale == "identifier"
    rng = np.random.default_rng(0)
    hexes = pd.Series(["".join(rng.choice(list("0123456789abcdef"), 12)) for _ in range(200)])
    assert _scales.infer("code", hexes).scale == "identifier"
    mixed = pd.Series(
        [
            "".join(rng.choice(list("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghij0123456789"), 12))
            for _ in range(200)
        ]
    )
    assert _scales.infer("code", mixed).scale == "identifier"
    assert (
        _scales.infer("code", pd.Series([f"user-{i:04}" for i in range(200)])).scale == "identifier"
    )
    mail = pd.Series([f"p{i}@{'one' if i % 3 else 'other'}.example" for i in range(90)])
    assert _scales.infer("mail", mail).scale == "text"
