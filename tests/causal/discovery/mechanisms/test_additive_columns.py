"""Regressions on any columns from one Gram matrix."""

import numpy as np
import pytest

from margin.causal.discovery.mechanisms._additive_columns import (
    AdditiveColumns,
    AdditiveRegression,
)
from margin.linear import GeneralisedAdditiveModel


@pytest.fixture(scope="module")
def values():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    X[:, 3] += np.sin(2 * X[:, 0]) + X[:, 1] ** 2
    return (X - X.mean(axis=0)) / X.std(axis=0)


def test_the_additive_model(values):
    table = AdditiveColumns.of(values, 8)
    for causes in ([0, 1, 2], [1]):
        model = GeneralisedAdditiveModel(n_knots=8).fit(values[:, causes], values[:, 3])
        expected = values[:, 3] - model.predict(values[:, causes])
        np.testing.assert_allclose(table.residual(3, causes), expected, atol=0.02)
    np.testing.assert_allclose(table.residual(3, []), values[:, 3], atol=1e-12)


def test_squares_of_least_squares(values):
    table = AdditiveColumns.of(values, 5)
    used = table.places([0, 2])
    left = (
        values[:, 3]
        - table.columns[:, used] @ np.linalg.lstsq(table.columns[:, used], values[:, 3])[0]
    )
    assert table.squares(3, used) == pytest.approx(float(left @ left))
    assert table.squares(3, used[:0]) == pytest.approx(200.0)
    assert len(used) == table.width(0) + table.width(2)


def test_regressions_one_after_the_other(values):
    """Where a search begins does not matter."""
    table = AdditiveColumns.of(values, 8)
    regress = AdditiveRegression(table)
    for causes in ([0, 1, 2], [0, 1], [1], [], [2, 0], [0, 1, 2]):
        residual, alone = regress(3, causes), table.residual(3, causes)
        np.testing.assert_allclose(residual, alone, atol=0.05)


def test_a_column_of_two_values_does_not_bend():
    rng = np.random.default_rng(1)
    X = np.column_stack([rng.integers(0, 2, 100), rng.normal(size=100)]).astype(float)
    X = np.column_stack([X, 2 * X[:, 0] + np.abs(X[:, 1]) + 0.1 * rng.normal(size=100)])
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    table = AdditiveColumns.of(Z, 8)
    assert table.width(0) == 1
    residual, theta = table.regression(2, [0, 1])
    assert len(theta) == 3
    assert residual.std() < 0.2
    model = GeneralisedAdditiveModel(n_knots=8).fit(Z[:, :2], Z[:, 2])
    np.testing.assert_allclose(residual, Z[:, 2] - model.predict(Z[:, :2]), atol=0.05)
