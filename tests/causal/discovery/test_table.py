"""Bad input is refused before any work."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from margin.causal import CAM, RESIT, DirectLiNGAM, ICALiNGAM
from margin.causal.discovery._table import Table


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (np.zeros(3), "two-dimensional"),
        (np.zeros((0, 2)), "two-dimensional table with rows"),
        ([["a", "b"]], "a table of numbers"),
        (pd.DataFrame({"a": [np.nan, np.nan], "b": [1.0, 2.0]}), "column 'a' must be known somew"),
        (np.array([[1.0, np.nan], [np.nan, 2.0]]), "rows that know every column, got 'none'"),
        (np.array([[1.0, 2.0], [1.0, np.inf]]), "column 1 must be finite, or NaN where unknown"),
        (np.array([[1.0, 2.0], [3.0, 2.0]]), "column 1 must be not constant"),
        (pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]), "name of its own"),
    ],
)
def test_refusals(X, message):
    with pytest.raises(ValueError, match=message) as error:
        Table.of("LiNGAM", X)
    assert str(error.value).startswith("LiNGAM: ")


@pytest.mark.parametrize(
    "model",
    [DirectLiNGAM(), ICALiNGAM(random_state=0), RESIT(), CAM()],
    ids=lambda m: type(m).__name__,
)
def test_rows_with_a_gap_are_left_out_and_told_of(model):
    e = np.random.default_rng(2).uniform(-1, 1, (2, 120))
    frame = pd.DataFrame({"b": e[0] ** 3 + 0.5 * e[1], "a": e[0]})
    frame.iloc[::10, 0] = np.nan
    holes, whole = clone(model).fit(frame), clone(model).fit(frame.dropna())
    np.testing.assert_array_equal(holes.adjacency_, whole.adjacency_)
    assert any("12 of 120 rows with a gap left out" in note for note in holes.fit_report_.notes)
    assert not any("gap" in note for note in whole.fit_report_.notes)


def test_collinear_columns_and_few_rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 3))
    Table.of("LiNGAM", X).refuse_collinear("LiNGAM")
    X[:, 2] = X[:, 0] - X[:, 1]
    with pytest.raises(ValueError, match="column 2 must be no combination"):
        Table.of("LiNGAM", X).refuse_collinear("LiNGAM")
    with pytest.raises(ValueError, match="more rows than its 3 columns, got 3"):
        Table.of("LiNGAM", rng.normal(size=(3, 3))).refuse_collinear("LiNGAM")


@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_standardised_whatever_the_scale(scale):
    X = np.random.default_rng(1).normal(size=(50, 2))
    Z = Table.of("LiNGAM", X * scale).standardised()
    np.testing.assert_allclose(Z, (X - X.mean(axis=0)) / X.std(axis=0), atol=1e-12)
