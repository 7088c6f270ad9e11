"""Semirings satisfy their axioms, and message passing with them its meaning (inference.14)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference import (
    BOOLEAN,
    COUNTING,
    LOG_SUM,
    MAX_PRODUCT,
    MIN_SUM,
    SUM_PRODUCT,
    KBest,
    axiom_violation,
    eliminate,
    enumerate_model,
)
from margin.inference._semiring import resolve

ALL = [SUM_PRODUCT, MAX_PRODUCT, MIN_SUM, LOG_SUM, COUNTING, BOOLEAN, KBest(1), KBest(3)]


def elements(semiring, rng):
    table = rng.random(40) * (rng.random(40) < 0.8)  # zeros among them
    lifted = semiring.lift(table)
    if isinstance(semiring, KBest):
        filled = np.log(rng.random((40, semiring.k)))
        lifted = -np.sort(-np.where(np.isfinite(lifted), lifted, filled), axis=-1)
    return lifted


@pytest.mark.parametrize("semiring", ALL, ids=str)
def test_axioms(semiring):
    """inference.14: one engine for everything that satisfies these."""
    rng = np.random.default_rng(0)
    a, b, c = (elements(semiring, rng) for _ in range(3))
    assert axiom_violation(semiring, a, b, c) < 1e-12


def test_a_wrong_annihilator_is_found_out():
    """Minus infinity does not annihilate in max-product: minus infinity times zero is no number."""
    wrong = type(MAX_PRODUCT)("wrong", np.maximum, np.multiply, (-np.inf, 1.0))
    a = np.array([0.0, 0.5])
    with np.errstate(invalid="ignore"):
        assert not axiom_violation(wrong, a, a, a) < 1e-12


@pytest.mark.parametrize("seed", range(6))
def test_what_elimination_means_in_each_semiring(seed, random_model):
    model = random_model(np.random.default_rng(seed), 5, zeros=True)
    oracle = enumerate_model(model)
    joint = oracle.table * oracle.evidence_mass
    with np.errstate(divide="ignore"):
        assert_allclose(eliminate(model, semiring="max-product").table, joint.max())
        assert_allclose(eliminate(model, semiring="min-sum").table, -np.log(joint.max()))
        log_sum = eliminate(model, semiring="log-sum")
        assert_allclose(log_sum.log_evidence, np.log(joint.sum()), atol=1e-12)
    assert eliminate(model, semiring="counting").table == (joint > 0).sum()
    assert eliminate(model, semiring="boolean").table == (joint > 0).any()


def test_reduction_by_plus_is_the_ufunc():
    table = np.random.default_rng(0).random((3, 4))
    for semiring in (SUM_PRODUCT, MAX_PRODUCT, MIN_SUM, LOG_SUM):
        slow = super(type(semiring), semiring).reduce(table, 1)
        assert_allclose(semiring.reduce(table, 1), slow, rtol=1e-12)


def test_names_and_refusals():
    assert resolve("boolean") is BOOLEAN
    assert resolve(KBest(2)) == KBest(2)
    with pytest.raises(ValueError, match="semiring must be a Semiring or one of"):
        resolve("plus-times")
    with pytest.raises(ValueError, match="k must be an integer of at least 1"):
        KBest(0)
