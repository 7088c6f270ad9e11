"""The compiled walk along the lasso path: on products and on the table, against its conditions."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.native.columns.lars import gram_lars, table_lars


def data(n=40, p=7, seed=0):
    rng = np.random.default_rng(seed)
    return np.ascontiguousarray(rng.normal(size=(n, p)).T), rng.normal(size=n)


def both(columns, y, **options):
    n = len(y)
    products = gram_lars(columns @ columns.T / n, columns @ y / n, 0.0, 500, **options)
    return products, table_lars(columns, y, 0.0, 500, **options)


def violation(columns, y, w, alpha, positive):
    c = columns @ (y - w @ columns) / len(y)
    resting = np.maximum((c if positive else np.abs(c)) - alpha, 0.0)
    return np.where(w == 0, resting, np.abs(c - alpha * np.sign(w))).max()


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("positive", [False, True])
def test_both_ways_keep_the_conditions_at_every_breakpoint(seed, positive):
    columns, y = data(seed=seed)
    for walk in both(columns, y, positive=positive):
        assert (np.diff(walk.alphas) < 0).all()
        for alpha, w in zip(walk.alphas, walk.coefs.T, strict=True):
            assert violation(columns, y, w, alpha, positive) < 1e-12
        assert not positive or (walk.coefs >= 0).all()


def test_without_leaving_every_column_enters_once():
    columns, y = data(seed=3)
    for walk in both(columns, y, leaves=False):
        assert sorted(walk.active) == list(range(7))
        assert [kind for kind, _ in walk.events] == ["enter"] * 7
        assert_allclose(walk.coefs[:, -1], np.linalg.lstsq(columns.T, y)[0], atol=1e-10)


def test_dependent_and_empty_columns_stay_out():
    columns, y = data()
    columns[1], columns[2] = columns[0], 0.0
    for walk in both(columns, y):
        assert not walk.coefs[2].any()
        assert not (walk.coefs[0].any() and walk.coefs[1].any())


def test_limits_and_nothing_to_do():
    columns, y = data()
    assert len(table_lars(columns, y, 0.0, 2).alphas) == 3
    assert table_lars(columns, y, 0.1, 99).alphas[-1] == 0.1
    assert table_lars(columns, np.zeros_like(y), 0.0, 9).alphas.tolist() == [0.0]
    assert table_lars(np.empty((0, 5)), np.ones(5), 0.0, 9).coefs.shape == (0, 1)


def test_wrong_shapes_are_refused():
    columns, y = data()
    with pytest.raises(ValueError, match="different shape"):
        table_lars(columns, y[1:], 0.0, 9)
    with pytest.raises(ValueError, match="different shape"):
        gram_lars(np.eye(3), np.ones(2), 0.0, 9)
