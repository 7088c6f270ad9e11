"""Semirings satisfy their axioms, and message passing with them its meaning (inference.14)."""

from itertools import product

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
    sum_product,
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


UFUNCS = type(SUM_PRODUCT)
BROKEN = {
    "plus does not commute": (np.subtract, np.multiply, (0.0, 1.0)),
    "times does not commute": (np.add, np.power, (0.0, 1.0)),
    "times is not associative": (np.maximum, np.hypot, (0.0, 0.0)),
    "times does not distribute": (np.multiply, np.add, (1.0, 0.0)),
    "zero is not neutral": (np.add, np.multiply, (1.0, 1.0)),
    "one is not neutral": (np.add, np.multiply, (0.0, 2.0)),
    "zero does not annihilate": (np.maximum, np.add, (0.0, 0.0)),
}


@pytest.mark.parametrize("fault", BROKEN)
def test_every_broken_axiom_is_found_out(fault):
    """inference.14: the axiom test fails for an algebra that lacks any one of them."""
    add, multiply, neutral = BROKEN[fault]
    a, b, c = np.random.default_rng(0).random((3, 20)) + 0.1
    assert not axiom_violation(UFUNCS("broken", add, multiply, neutral), a, b, c) < 1e-6


BOTTLENECK = UFUNCS("BOTTLENECK", np.maximum, np.minimum, (0.0, np.inf))


def by_definition(model, semiring, keep):
    """The sum over all assignments of the product of all factors, one by one."""
    sums = {}
    for x in product(*(range(c) for c in model.cardinalities)):
        term = np.asarray(semiring.one)
        for scope, table in zip(model.scopes, model.tables, strict=True):
            element = semiring.lift(np.asarray(table))[tuple(x[v] for v in scope)]
            term = semiring.times(term, np.asarray(element))
        key = tuple(x[v] for v in keep)
        sums[key] = semiring.plus(sums[key], term) if key in sums else term
    shape = [model.cardinalities[v] for v in keep]
    every = np.array([sums[k] for k in np.ndindex(*shape)])
    return every.reshape((*shape, *np.shape(semiring.one)))


@pytest.mark.parametrize("semiring", [*ALL, BOTTLENECK], ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_one_engine_for_every_semiring_against_the_definition(semiring, seed, random_model):
    """inference.14: elimination in any order, by hand-written loops over all assignments.

    The bottleneck algebra (widest path) is one the library does not know.
    """
    rng = np.random.default_rng(seed)
    model = random_model(rng, 5, zeros=seed % 2 == 1)
    with np.errstate(divide="ignore"):
        for keep in ((), (0,), (3, 1)):
            exact = by_definition(model, semiring, keep)
            rest = [v for v in range(5) if v not in keep]
            if semiring is SUM_PRODUCT:
                exact = exact / max(exact.sum(), 1e-300)  # elimination gives the posterior
            for order in ("min-fill", rng.permutation(rest).tolist()):
                answer = eliminate(model, keep, order=order, semiring=semiring).table
                assert_allclose(np.asarray(answer, float), np.asarray(exact, float), atol=1e-12)


@pytest.mark.parametrize("semiring", [MIN_SUM, COUNTING, BOOLEAN, KBest(3), BOTTLENECK], ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_messages_on_trees_in_every_semiring(semiring, seed, random_model):
    """inference.14: the same algebra by message passing, for every variable at once."""
    model = random_model(np.random.default_rng(seed), 5, tree=True, zeros=True)
    with np.errstate(divide="ignore"):
        beliefs = sum_product(model, semiring=semiring)
        for v in range(5):
            exact = by_definition(model, semiring, (v,))
            belief = np.asarray(beliefs.marginals[v], float)
            assert_allclose(belief, np.asarray(exact, float), atol=1e-12)
        whole = np.asarray(by_definition(model, semiring, ()), float)
        assert_allclose(np.asarray(beliefs.log_evidence, float), whole, atol=1e-12)


def tables_of(axioms):
    """All operations on three elements, by which of the axioms they break: a bit for each."""
    every = np.array(list(product(range(3), repeat=9))).reshape(-1, 3, 3)
    broken = np.stack([axiom(every) for axiom in axioms])
    return {bits: every[(bits == broken.T).all(axis=1)] for bits in product((0, 1), repeat=3)}


def commutes(t):
    return (t != t.transpose(0, 2, 1)).any(axis=(1, 2))


def associates(t):
    n, x, y, z = np.ogrid[: len(t), :3, :3, :3]
    return (t[n, t[n, x, y], z] != t[n, x, t[n, y, z]]).any(axis=(1, 2, 3))


def has_neutral(element):
    return lambda t: (t[:, :, element] != np.arange(3)).any(axis=1)


def lone_faults():
    """Algebras of three elements (zero is 0, one is 1) that break one axiom alone, by its name."""
    plus = tables_of((commutes, associates, has_neutral(0)))
    times = tables_of((commutes, associates, has_neutral(1)))
    x, y, z = np.ogrid[:3, :3, :3]
    names = ["commutes", "associates", "neutral"]
    algebras = {}
    for own, other in product(plus, times):
        if sum(own) + sum(other) > 1:
            continue
        for p, t in product(plus[own], times[other]):
            faults = [f"plus {name}" for name, bad in zip(names, own, strict=True) if bad]
            faults += [f"times {name}" for name, bad in zip(names, other, strict=True) if bad]
            faults += ["distributes"] * bool((t[x, p[y, z]] != p[t[x, y], t[x, z]]).any())
            faults += ["annihilates"] * bool((t[:, 0] != 0).any())
            if len(faults) < 2:
                algebras.setdefault("".join(faults), (p, t))
    return algebras


def products_that_do_not_associate():
    """Bits with basis 1, x, y over two elements: x x = y, x y = x, y y = 0, so (x x) y = 0 but
    x (x y) = y; every other axiom of a semiring holds. Three elements are too few for this one."""
    basis = np.array([[1, 2, 4], [2, 4, 2], [4, 2, 0]])
    times = np.zeros((8, 8), dtype=int)
    for a, b, i, j in product(range(8), range(8), range(3), range(3)):
        if a >> i & 1 and b >> j & 1:
            times[a, b] ^= basis[i, j]
    return np.bitwise_xor.outer(np.arange(8), np.arange(8)), times


def test_each_axiom_is_tested_on_its_own():
    """inference.14: for every axiom an algebra that lacks this one alone, and one that has all."""
    algebras = lone_faults() | {"times associates": products_that_do_not_associate()}
    assert len(algebras) == 9

    def looked_up(table):
        return lambda left, right: table[left.astype(int), right.astype(int)].astype(float)

    for fault, (plus, times) in algebras.items():
        a, b, c = np.array(list(product(range(len(plus)), repeat=3)), dtype=float).T
        algebra = UFUNCS(fault, looked_up(plus), looked_up(times), (0.0, 1.0))
        assert (axiom_violation(algebra, a, b, c) > 0) == bool(fault), fault
