"""Jeffrey's rule, virtual evidence, and both (inference.17, inference.18)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.inference import (
    FactorModel,
    JunctionTree,
    UnattainableError,
    enumerate_model,
    fit_soft,
    jeffrey,
    soft_likelihoods,
)

TABLES = [np.array([0.5, 0.3, 0.2]), np.array([[0.8, 0.2], [0.5, 0.5], [0.1, 0.9]])]
TREE = JunctionTree.compile((3, 2), ((0,), (0, 1)))
SOFT = np.array([0.3, 0.15, 0.55])


def test_the_worked_example():
    """inference.17: beliefs (.3, .15, .55) give .63."""
    found = jeffrey(TREE, TABLES, [1], {0: SOFT})
    assert_allclose(found, [[0.37, 0.63]], atol=1e-14)


def test_one_hot_is_hard_and_the_answer_is_linear():
    hard = TREE.joint(TABLES, (1,), {0: 2})
    assert_allclose(jeffrey(TREE, TABLES, [1], {0: [0, 0, 1]}), hard, atol=1e-14)
    parts = [jeffrey(TREE, TABLES, [1], {0: np.eye(3)[k]})[0] for k in range(3)]
    assert_allclose(jeffrey(TREE, TABLES, [1], {0: SOFT})[0], SOFT @ parts, atol=1e-14)


def test_jeffrey_and_virtual_evidence_are_not_the_same():
    virtual = TREE.joint(TABLES, (1,), None, {0: SOFT})
    assert np.abs(virtual - jeffrey(TREE, TABLES, [1], {0: SOFT})).max() > 0.1
    # The likelihood that makes them the same divides by the prior.
    turned = TREE.joint(TABLES, (1,), None, {0: SOFT / TABLES[0]})
    assert_allclose(turned, jeffrey(TREE, TABLES, [1], {0: SOFT}), atol=1e-14)


def test_mixed_evidence_virtual_first_then_soft(random_model):
    model = random_model(np.random.default_rng(11), 5, directed=True)
    tree = JunctionTree.compile(model.cardinalities, model.scopes)
    rng = np.random.default_rng(0)
    likelihood = rng.random(model.cardinalities[1])
    soft = rng.dirichlet(np.ones(model.cardinalities[2]))
    found = jeffrey(tree, model.tables, [4], {2: soft}, None, {1: likelihood})[0]
    whole = enumerate_model(model).table * likelihood.reshape(1, -1, 1, 1, 1)
    pair = whole.sum(axis=(0, 1, 3))
    assert_allclose(found, soft @ (pair / pair.sum(1, keepdims=True)), atol=1e-13)


def fitted_joint(joint, targets, tol=1e-15):
    """The whole table scaled along one axis after the other until its marginals are right."""
    table = joint / joint.sum()
    for _ in range(100_000):
        gap = 0.0
        for axis, q in targets.items():
            rest = tuple(a for a in range(table.ndim) if a != axis)
            now = table.sum(axis=rest, keepdims=True)
            wanted = q.reshape([-1 if a == axis else 1 for a in range(table.ndim)])
            gap = max(gap, np.abs(now - wanted).max())
            table = table * np.divide(wanted, now, out=np.zeros_like(now), where=now > 0)
        if gap < tol:
            break
    return table


@pytest.mark.parametrize("seed", range(6))
def test_several_soft_variables_all_get_their_distribution(random_model, seed):
    """inference.17: the nearest distribution with these marginals, by brute force; rows at once."""
    rng = np.random.default_rng(seed)
    model = random_model(rng, 5, directed=True)
    tree = JunctionTree.compile(model.cardinalities, model.scopes)
    likelihood = rng.random(model.cardinalities[1]) + 0.1
    whole = enumerate_model(model).table * likelihood.reshape(1, -1, 1, 1, 1)
    soft = {v: rng.dirichlet(np.ones(model.cardinalities[v]), size=3) for v in (0, 2, 3)}
    found = jeffrey(tree, model.tables, [0, 4], soft, None, {1: np.tile(likelihood, (3, 1))})
    for row in range(3):
        exact = fitted_joint(whole, {v: q[row] for v, q in soft.items()})
        assert_allclose(found[row], exact.sum(axis=(1, 2, 3)), atol=1e-11)
    hard, given = soft_likelihoods(tree, model.tables, soft, None, {1: likelihood})
    reached = tree.marginals(model.tables, hard, given)[1]
    for v, q in soft.items():
        assert_allclose(reached[v], q, atol=2e-12)


def test_independent_soft_variables_are_averaged_over_the_product():
    tables = [np.array([0.4, 0.6]), np.array([0.3, 0.7]), np.arange(1.0, 9).reshape(2, 2, 2)]
    tables[2] /= tables[2].sum(axis=2, keepdims=True)
    tree = JunctionTree.compile((2, 2, 2), ((0,), (1,), (0, 1, 2)))
    p, q = np.array([0.9, 0.1]), np.array([0.2, 0.8])
    found = jeffrey(tree, tables, [2], {0: p, 1: q})[0]
    assert_allclose(found, np.einsum("i,j,ijk->k", p, q, tables[2]), atol=1e-12)


def test_strongly_dependent_variables_converge():
    copy = [np.array([0.5, 0.5]), np.array([[0.99, 0.01], [0.01, 0.99]])]
    tree = JunctionTree.compile((2, 2), ((0,), (0, 1)))
    soft = {0: np.array([0.2, 0.8]), 1: np.array([0.3, 0.7])}
    table = jeffrey(tree, copy, [0, 1], soft)[0]
    assert_allclose(table.sum(1), soft[0], atol=1e-12)
    assert_allclose(table.sum(0), soft[1], atol=1e-12)
    odds = table[0, 0] * table[1, 1] / (table[0, 1] * table[1, 0])
    assert_allclose(odds, 99.0**2, rtol=1e-7)


def test_refusals():
    with pytest.raises(ValueError, match=r"soft\[0\] must be a distribution"):
        jeffrey(TREE, TABLES, [1], {0: [0.5, 0.5, 0.5]})
    with pytest.raises(UnattainableError, match="must be possible under the model") as error:
        jeffrey(TREE, [np.array([1.0, 0.0, 0.0]), TABLES[1]], [1], {0: SOFT})
    assert (error.value.row, error.value.variable) == (0, 0)


def test_targets_that_contradict_each_other():
    """A copy cannot have another distribution than the original."""
    tables = [np.array([0.5, 0.5]), np.eye(2)]
    tree = JunctionTree.compile((2, 2), ((0,), (0, 1)))
    rows = {0: np.array([[0.5, 0.5], [0.2, 0.8]]), 1: np.array([[0.5, 0.5], [0.3, 0.7]])}
    with pytest.raises(UnattainableError, match="in row 1 for variable") as error:
        jeffrey(tree, tables, [0], rows)
    assert error.value.row == 1
    same = dict.fromkeys((0, 1), rows[0])
    assert_allclose(jeffrey(tree, tables, [1], same), rows[0], atol=1e-12)


def with_witness(model, likelihoods):
    """The model with an unreliable witness per likelihood: a child whose state 0 is what he said.

    His table is p(says so | x), scaled to be a probability; virtual evidence is to observe him.
    """
    cards, scopes, tables = list(model.cardinalities), list(model.scopes), list(model.tables)
    for v, likelihood in likelihoods.items():
        p = likelihood / likelihood.max()
        scopes.append((v, len(cards)))
        tables.append(np.stack([p, 1 - p], axis=1))
        cards.append(2)
    return FactorModel(tuple(cards), tuple(scopes), tuple(tables))


@pytest.mark.parametrize("seed", range(6))
def test_virtual_evidence_is_an_observed_witness(random_model, seed):
    """inference.18: likelihoods on several variables, by enumeration of the model with witnesses.

    Rows at once, and together with hard evidence.
    """
    rng = np.random.default_rng(seed)
    model = random_model(rng, 5, directed=True)
    tree = JunctionTree.compile(model.cardinalities, model.scopes)
    rows = {v: rng.random((3, model.cardinalities[v])) + 0.01 for v in (1, 3)}
    hard = {0: int(rng.integers(model.cardinalities[0]))}
    codes = np.full((3, 5), -1)
    codes[:, 0] = hard[0]
    answers = tree.joint(model.tables, (2, 4), codes, rows)
    mass, _ = tree.marginals(model.tables, codes, rows)
    for row in range(3):
        one = {v: a[row] for v, a in rows.items()}
        extended = with_witness(model, one)
        seen = {**hard, 5: 0, 6: 0}
        exact = enumerate_model(extended, (2, 4), seen)
        assert_allclose(answers[row], exact.table, atol=1e-13)
        scale = sum(np.log(a.max()) for a in one.values())
        assert_allclose(mass[row], np.log(exact.evidence_mass) + scale, atol=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_mixed_evidence_is_jeffrey_on_the_model_with_witnesses(random_model, seed):
    """inference.18: virtual first, then soft; the soft variable keeps its distribution exactly.

    In the other order it would not, so the order is part of the answer.
    """
    rng = np.random.default_rng(seed)
    model = random_model(rng, 5, directed=True)
    tree = JunctionTree.compile(model.cardinalities, model.scopes)
    likelihood = {1: rng.random(model.cardinalities[1]) + 0.01}
    q = rng.dirichlet(np.ones(model.cardinalities[2]))
    answer = jeffrey(tree, model.tables, [2, 4], {2: q}, None, likelihood)[0]
    pair = enumerate_model(with_witness(model, likelihood), (2, 4), {5: 0}).table
    given = np.divide(
        pair, pair.sum(1, keepdims=True), out=np.zeros_like(pair), where=pair.sum(1)[:, None] > 0
    )
    assert_allclose(answer, q[:, None] * given, atol=1e-13)
    assert_allclose(answer.sum(axis=1), q, atol=1e-13)


def test_the_order_of_mixed_evidence_matters():
    """inference.18: soft first and virtual afterwards moves the soft variable again."""
    likelihood = {1: np.array([1.0, 4.0])}
    first = jeffrey(TREE, TABLES, [0], {0: SOFT}, None, likelihood)[0]
    assert_allclose(first, SOFT, atol=1e-14)
    table = SOFT[:, None] * TABLES[1] * likelihood[1]
    later = table.sum(axis=1) / table.sum()
    assert np.abs(later - SOFT).max() > 0.05


def pair_marginals(joint, calls, at):
    def marginals(given, rows):
        calls.append(len(rows))
        if len(calls) == at:
            raise KeyboardInterrupt
        table = joint * given[0][:, :, None] * given[1][:, None, :]
        table /= table.sum(axis=(1, 2), keepdims=True)
        return {0: table.sum(axis=2), 1: table.sum(axis=1)}

    return marginals


def test_rows_that_are_done_take_no_more_part():
    joint = np.array([[0.45, 0.05], [0.05, 0.45]])
    soft = {0: np.array([[0.5, 0.5], [0.2, 0.8]]), 1: np.array([[0.5, 0.5], [0.6, 0.4]])}
    calls = []
    fit_soft(pair_marginals(joint, calls, at=-1), soft)
    assert calls[:2] == [2, 2]
    assert set(calls[2:]) == {1}


def test_interruption_is_that_of_the_query():
    joint = np.array([[0.45, 0.05], [0.05, 0.45]])
    soft = {0: np.array([[0.2, 0.8]]), 1: np.array([[0.6, 0.4]])}
    with pytest.raises(KeyboardInterrupt):
        fit_soft(pair_marginals(joint, [], at=5), soft)


def test_sweeps_are_limited():
    joint = np.array([[0.45, 0.05], [0.05, 0.45]])
    soft = {0: np.array([[0.5, 0.5], [0.2, 0.8]]), 1: np.array([[0.5, 0.5], [0.6, 0.4]])}
    with pytest.raises(UnattainableError) as error:
        fit_soft(pair_marginals(joint, [], at=-1), soft, max_iter=2)
    assert error.value.row == 1
