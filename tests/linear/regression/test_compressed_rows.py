"""Rows replaced by as few as there are columns."""

import numpy as np
from numpy.testing import assert_allclose

from margin.linear import Ridge
from margin.linear.regression._compressed_rows import CompressedRows

RNG = np.random.default_rng(2)
X, Y, WEIGHT = RNG.normal(size=(50, 3)), RNG.normal(size=50), RNG.random(50)


def test_products_of_all_columns_are_kept():
    blocks = [(X[:20], Y[:20], WEIGHT[:20]), (X[20:], Y[20:], WEIGHT[20:])]
    rows = CompressedRows.of(Ridge(), blocks)
    table = np.column_stack([np.ones(50), X, Y])
    assert rows.factor.shape == (5, 5)
    assert_allclose(rows.factor.T @ rows.factor, table.T @ (WEIGHT[:, None] * table), atol=1e-12)
    assert_allclose(rows.weight, WEIGHT.sum())


def test_digits_are_those_of_the_rows_not_of_their_squares():
    """Columns that agree to eight digits: products would agree to all sixteen."""
    line = np.linspace(0.0, 1.0, 60)
    rows = np.column_stack([line, line + 1e-8 * np.sin(9 * line)])
    y = rows @ [1.0, 2.0]
    parts = CompressedRows.of(Ridge(), [(rows[:30], y[:30]), (rows[30:], y[30:])])
    settings = {"intercept": True, "method": "svd", "n_threads": 1, "owner": "Ridge"}
    assert_allclose(parts.fit(np.zeros(1), **settings).coef, [1.0, 2.0], rtol=1e-5)
