"""The oracle itself, on problems whose answers are known (inference.02)."""

from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference import FactorModel, enumerate_model


def children(known, n_days):
    """Two children, each a boy or not and born on one of the days; what is known about them."""
    states = [(boy, day == 0) for boy in (True, False) for day in range(n_days)]
    cards = (len(states),) * 2
    table = [[int(known(a, b)) for b in states] for a in states]
    model = FactorModel(cards, ((0, 1),), (table,))
    found = enumerate_model(model, exact=True).table
    return sum(found[:n_days, :n_days].ravel().tolist(), Fraction(0))


def test_alice_and_her_two_children():
    """inference.02: the exact fractions of the worked example."""
    assert children(lambda a, b: True, 7) == Fraction(1, 4)
    assert children(lambda a, b: a[0], 7) == Fraction(1, 2)
    assert children(lambda a, b: a[0] or b[0], 7) == Fraction(1, 3)
    assert children(lambda a, b: all(a) or all(b), 7) == Fraction(13, 27)


def test_alice_and_a_birthday_as_a_factor_with_weights():
    """365 days as two states of weight 1 and 364: the same answer, 729/1459."""
    weight = np.array([1, 364, 1, 364])  # boy today, boy another day, girl today, girl another day
    known = [[int(0 in (i, j)) for j in range(4)] for i in range(4)]
    model = FactorModel((4, 4), ((0,), (1,), (0, 1)), (weight, weight, known))
    found = enumerate_model(model, exact=True).table
    assert sum(found[:2, :2].ravel().tolist(), Fraction(0)) == Fraction(729, 1459)


def test_exact_and_floating_enumeration_agree(random_model):
    for seed in range(5):
        model = random_model(np.random.default_rng(seed), 4)
        exact = enumerate_model(model, (0, 2), {1: 0}, exact=True)
        floating = enumerate_model(model, (0, 2), {1: 0})
        assert_allclose(floating.table, exact.table.astype(float), atol=1e-14)
        assert floating.evidence_mass == pytest.approx(float(exact.evidence_mass))
        assert exact.table.sum() == 1


def test_exact_tables_of_fractions():
    model = FactorModel((2,), ((0,),), ([1 / 3, 2 / 3],))
    thirds = [np.array([Fraction(1, 3), Fraction(2, 3)])]
    assert enumerate_model(model, tables=thirds).table[1] == Fraction(2, 3)


def test_axes_follow_the_targets_and_evidence_is_one_hot():
    rng = np.random.default_rng(0)
    table = rng.random((2, 3, 4))
    model = FactorModel((2, 3, 4), ((0, 1, 2),), (table,))
    wanted = table.sum(axis=1).T / table.sum()
    assert_allclose(enumerate_model(model, (2, 0)).table, wanted)
    seen = enumerate_model(model, (1, 0), {1: 2}).table
    assert_allclose(seen[2], table[:, 2].sum(1) / table[:, 2].sum())
    assert not seen[:2].any()


def test_impossible_evidence_and_huge_models():
    model = FactorModel((2,), ((0,),), ([1.0, 0.0],))
    assert enumerate_model(model, (0,), {0: 1}).evidence_mass == 0.0
    assert not enumerate_model(model, (0,), {0: 1}).table.any()
    with pytest.raises(ValueError, match="at most 2,000,000 assignments"):
        enumerate_model(FactorModel((2,) * 40, (), ()))
