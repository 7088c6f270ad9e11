"""Base measures: what the compiled loops and the beliefs say must agree."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.distributions import (
    BetaBernoulli,
    DirichletCategorical,
    GammaPoisson,
    NormalInverseGamma,
    NormalInverseWishart,
    NormalMean,
)
from margin.mixture.processes._bases import FAMILIES, ColumnsBase, NormalBase, base_of

RNG = np.random.default_rng(0)
LABELS = np.array([0, 0, 1, 0, 1, 2, 2, 0], dtype=np.int32)
MIXED = np.column_stack(
    [
        RNG.normal(size=8),
        RNG.normal(2, 3, size=8),
        RNG.integers(3, size=8),
        RNG.poisson(4, size=8),
        RNG.integers(2, size=8),
    ]
).astype(float)
BELIEFS = [
    NormalInverseGamma(0.2, 1.5, 2.0, 3.0),
    NormalMean(1.0, 2.0, 3.0),
    DirichletCategorical([0.5, 1.0, 2.0]),
    GammaPoisson(2.0, 0.7),
    BetaBernoulli(0.6, 1.4),
]


@pytest.mark.parametrize("holes", [False, True])
@pytest.mark.parametrize("j", range(5))
def test_column_evidence(j, holes):
    """The compiled sum of predictive densities is the evidence of every kind of belief."""
    x = MIXED[:, [j]].copy()
    if holes:
        x[3] = np.nan
    base = base_of("Test", BELIEFS[j], x)
    _, value = base.sweeps(x, LABELS, 0.0, 0, 0, 0)
    family = FAMILIES[type(BELIEFS[j])]
    truth = sum(BELIEFS[j].log_evidence(family.statistics(x[k == LABELS, 0])) for k in range(3))
    assert_allclose(value, truth, rtol=1e-10)


def test_normal_evidence_and_product():
    X = RNG.normal(size=(8, 3)) + 5.0
    prior = NormalInverseWishart(np.ones(3), 0.3, np.diag([1.0, 2.0, 3.0]), 5.5)
    _, value = NormalBase(prior).sweeps(X, LABELS, 0.0, 0, 0, 0)
    assert_allclose(value, sum(prior.log_evidence(X[k == LABELS]) for k in range(3)))
    whole = base_of("Test", BELIEFS, MIXED)
    parts = [base_of("Test", b, MIXED[:, [j]]) for j, b in enumerate(BELIEFS)]
    values = [p.sweeps(MIXED[:, [j]], LABELS, 0.0, 0, 0, 0)[1] for j, p in enumerate(parts)]
    assert_allclose(whole.sweeps(MIXED, LABELS, 0.0, 0, 0, 0)[1], sum(values))


def test_predictive_is_ratio_of_evidence():
    """Of the next row given those of a component, for both kinds of base."""
    X = RNG.normal(size=(8, 2))
    for base, table in (
        (base_of("Test", None, X), X),
        (base_of("Test", BELIEFS, MIXED), MIXED),
    ):
        rows, z = table[:7], np.zeros(7, dtype=np.int32)
        before = base.sweeps(rows, z, 0.0, 0, 0, 0)[1]
        after = base.sweeps(table, np.zeros(8, dtype=np.int32), 0.0, 0, 0, 0)[1]
        members = base.members(rows, np.ones((7, 1)))
        assert_allclose(base.log_predictive(members, table[7:])[0, 0], after - before)
        alone = base.sweeps(table[:1], np.zeros(1, dtype=np.int32), 0.0, 0, 0, 0)[1]
        assert_allclose(base.own(table[:1]), [alone])


def test_one_belief_for_all_columns():
    X = RNG.poisson(3, size=(5, 2)).astype(float)
    base = base_of("Test", GammaPoisson(1.0, 1.0), X)
    assert isinstance(base, ColumnsBase)
    assert len(base.beliefs) == 2
    many = base_of("Test", GammaPoisson([1.0, 2.0], [1.0, 1.0]), X)
    assert float(many.beliefs[1].concentration) == 2.0


@pytest.mark.parametrize(
    ("belief", "X", "words"),
    [
        ("nonsense", np.ones((2, 1)), "base_prior must be None, a NormalInverseWishart"),
        ([GammaPoisson(1.0, 1.0)] * 3, np.ones((2, 2)), "a belief for each of 2 columns"),
        (GammaPoisson(1.0, 1.0), np.array([[0.5]]), "whole numbers of at least 0 in column 0"),
        (DirichletCategorical([1.0, 1.0]), np.array([[2.0]]), "states from 0 to 1 in column 0"),
        (NormalInverseWishart([0.0], 1.0, [[1.0]], 2.0), np.ones((2, 2)), "of 2 coordinates"),
    ],
)
def test_refusals(belief, X, words):
    with pytest.raises(ValueError, match=f"Test: .*{words}"):
        base_of("Test", belief, X)
