"""Weighted completions carry the expected counts of any columns."""

from itertools import combinations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.graphical.learning.structure._completion import complete
from margin.inference import JunctionTree

CARDS, SCOPES = (2, 3, 2, 2), ((0,), (0, 1), (1, 2), (1, 3))


@pytest.fixture
def model():
    rng = np.random.default_rng(0)
    tables = [rng.dirichlet(np.ones(CARDS[s[-1]]), size=[CARDS[v] for v in s[:-1]]) for s in SCOPES]
    tree = JunctionTree.compile(CARDS, SCOPES)
    rows = np.column_stack([rng.integers(0, c, 60) for c in CARDS]).astype(np.int32)
    rows[rng.random(rows.shape) < 0.3] = -1
    return tree, tables, rows, rng.random(60)


def counts(rows, weight, columns):
    table = np.zeros([CARDS[v] for v in columns])
    np.add.at(table, tuple(rows[:, v] for v in columns), weight)
    return table


def test_expected_counts_of_any_pair(model):
    """graphical.19: pairs that share no factor as well."""
    tree, tables, rows, weight = model
    filled, mass = complete(
        lambda some: tree.marginals(tables, some)[1], rows, weight, 1000, np.random.default_rng(0)
    )
    assert (filled >= 0).all()
    assert_allclose(mass.sum(), weight.sum(), rtol=1e-12)
    for pair in combinations(range(4), 2):
        exact = np.tensordot(weight, tree.joint(tables, pair, rows), 1)
        assert_allclose(counts(filled, mass, pair), exact, atol=1e-10)


def test_draws_are_right_on_average(model):
    tree, tables, rows, weight = model
    rng = np.random.default_rng(1)
    total = 0.0
    for _ in range(200):
        filled, mass = complete(lambda some: tree.marginals(tables, some)[1], rows, weight, 1, rng)
        assert len(filled) == len(rows)
        total = total + counts(filled, mass, (0, 2)) / 200
    exact = np.tensordot(weight, tree.joint(tables, (0, 2), rows), 1)
    assert_allclose(total, exact, atol=0.25)


def test_complete_rows_stay():
    rows = np.zeros((3, 4), dtype=np.int32)
    filled, mass = complete(None, rows, np.ones(3), 5, np.random.default_rng(0))
    assert (filled == rows).all()
    assert (mass == 1).all()
