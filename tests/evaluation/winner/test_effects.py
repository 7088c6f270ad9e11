"""Effects of columns."""

import numpy as np
import pandas as pd
import pytest

from margin.evaluation import describe_columns
from margin.evaluation.winner._effects import effects

RNG = np.random.default_rng(0)
N = 200
FRAME = pd.DataFrame(
    {
        "x": RNG.normal(size=N),
        "whole": RNG.integers(0, 50, N),
        "kind": RNG.choice(["a", "b", "c"], N),
        "yes": RNG.random(N) < 0.5,
        "day": pd.date_range("2024-01-01", periods=N),
        "text": [f"some words about the row number {i}" for i in range(N)],
        "empty": np.nan,
    }
)
FRAME.loc[::5, ["x", "kind"]] = None
COLUMNS = describe_columns(FRAME)


def answer(X):
    return (
        2.0 * X["x"].fillna(0.0)
        + X["whole"]
        + 5.0 * (X["kind"] == "b")
        - 3.0 * X["yes"].astype(float)
    )


def test_an_additive_model_shows_its_parts():
    shown = {e.feature: e for e in effects(answer, FRAME, COLUMNS, outcome="y")}
    assert set(shown) == {"x", "whole", "kind", "yes", "day"}
    x = shown["x"]
    assert x.numeric
    np.testing.assert_allclose(np.diff(x.mean) / np.diff(x.values), 2.0)
    kind = shown["kind"]
    assert not kind.numeric
    lift = dict(zip(kind.values, kind.mean, strict=True))
    assert lift["b"] - lift["a"] == pytest.approx(5.0)
    assert shown["yes"].swing == pytest.approx(3.0)
    assert shown["day"].swing == pytest.approx(0.0, abs=1e-9)
    assert all(isinstance(v, int) for v in shown["whole"].values)
    assert (x.low <= x.mean).all()
    assert (x.mean <= x.high).all()


def test_the_mean_is_over_all_rows_where_they_are_few():
    few = FRAME.head(100)
    (effect,) = effects(answer, few, [c for c in COLUMNS if c.name == "yes"], outcome="y")
    without = answer(few.assign(yes=False)).mean()
    assert effect.mean[list(effect.values).index(False)] == pytest.approx(without)
