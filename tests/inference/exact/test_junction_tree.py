"""The junction tree against enumeration (inference.20).

Also inference.11 (nothing underflows), inference.12 (maxima) and inference.18 (virtual evidence).
"""

import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.inference import (
    FactorModel,
    JunctionTree,
    MemoryLimitError,
    ZeroProbabilityError,
    enumerate_model,
)


def with_likelihoods(model, likelihoods, row):
    scopes = (*model.scopes, *((v,) for v in likelihoods))
    tables = (*model.tables, *(table[row] for table in likelihoods.values()))
    return FactorModel(model.cardinalities, scopes, tables)


def random_evidence(rng, model, n_rows, shared):
    """Observed variables: the same in every row, or different from row to row."""
    rows = np.full((n_rows, model.n_variables), -1)
    for v, card in enumerate(model.cardinalities):
        states = rng.integers(card, size=n_rows)
        seen = np.full(n_rows, rng.random() < 0.4) if shared else rng.random(n_rows) < 0.4
        rows[seen, v] = states[seen]
    return rows


CASES = [(seed, n_rows) for seed in range(12) for n_rows in (1, 3, 20, 37)]


@pytest.fixture(params=CASES, ids=lambda case: f"seed{case[0]}-rows{case[1]}")
def case(request, random_model):
    seed, n_rows = request.param
    rng = np.random.default_rng(seed)
    model = random_model(rng, zeros=seed % 3 == 0)
    evidence = random_evidence(rng, model, n_rows, shared=seed % 2 == 0)
    likelihoods = {}
    if seed % 4 < 2:
        v = int(rng.integers(model.n_variables))
        likelihoods = {v: rng.random((n_rows, model.cardinalities[v]))}
    tree = JunctionTree.compile(model.cardinalities, model.scopes)
    return rng, model, tree, evidence, likelihoods


def given(evidence, row):
    return {v: int(s) for v, s in enumerate(evidence[row]) if s >= 0}


def test_marginals_joints_and_log_evidence_are_those_of_enumeration(case):
    rng, model, tree, evidence, likelihoods = case
    log_evidence, marginals = tree.marginals(model.tables, evidence, likelihoods, impossible="zero")
    n = model.n_variables
    asked = tuple(map(int, rng.permutation(n)[: int(rng.integers(1, min(n, 3) + 1))]))
    joint = tree.joint(model.tables, asked, evidence, likelihoods, impossible="zero")
    alone = tree.log_evidence(model.tables, evidence, likelihoods)
    assert_allclose(alone, log_evidence, atol=1e-12)
    for row in range(len(evidence)):
        one = with_likelihoods(model, likelihoods, row)
        for v in range(n):
            oracle = enumerate_model(one, (v,), given(evidence, row))
            assert_allclose(marginals[v][row], oracle.table, atol=1e-13)
        with np.errstate(divide="ignore"):
            assert_allclose(log_evidence[row], np.log(oracle.evidence_mass), atol=1e-11)
        wanted = enumerate_model(one, asked, given(evidence, row)).table
        assert_allclose(joint[row], wanted, atol=1e-13)


def test_expected_counts_are_sums_of_posteriors(case):
    rng, model, tree, evidence, likelihoods = case
    weight = rng.random(len(evidence))
    _, counts = tree.expected_counts(model.tables, evidence, weight, likelihoods, impossible="zero")
    wanted = [np.zeros(table.shape) for table in model.tables]
    for row in range(len(evidence)):
        one = with_likelihoods(model, likelihoods, row)
        for k, scope in enumerate(model.scopes):
            found = enumerate_model(one, scope, given(evidence, row))
            wanted[k] += weight[row] * found.table * (found.evidence_mass > 0)
    for count, table in zip(counts, wanted, strict=True):
        assert_allclose(count, table, atol=1e-12)


def test_the_most_probable_assignment_is_that_of_enumeration(case):
    """inference.12: maxima with back-pointers."""
    _, model, tree, evidence, likelihoods = case
    if not np.isfinite(tree.log_evidence(model.tables, evidence, likelihoods)).all():
        with pytest.raises(ZeroProbabilityError, match="probability zero"):
            tree.mpe(model.tables, evidence, 1, likelihoods)
        return
    value, states = tree.mpe(model.tables, evidence, 1, likelihoods)
    for row in range(len(evidence)):
        oracle = enumerate_model(
            with_likelihoods(model, likelihoods, row), None, given(evidence, row)
        )
        best = oracle.table.max()
        assert_allclose(value[row], np.log(best * oracle.evidence_mass), atol=1e-11)
        assert oracle.table[tuple(states[row])] == pytest.approx(best, rel=1e-12)


def test_one_row_at_a_time_and_all_together_agree(random_model):
    """Two engines: sliced tables for one row, sixteen rows abreast in a batch."""
    rng = np.random.default_rng(5)
    model = random_model(rng, 7)
    tree = JunctionTree.compile(model.cardinalities, model.scopes)
    evidence = random_evidence(rng, model, 40, shared=False)
    log_evidence, marginals = tree.marginals(model.tables, evidence)
    for row in range(40):
        alone, found = tree.marginals(model.tables, evidence[row])
        assert_allclose(alone[0], log_evidence[row], atol=1e-12)
        for v, marginal in enumerate(found):
            assert_allclose(marginal[0], marginals[v][row], atol=1e-14)


def test_the_answer_is_the_same_to_the_bit_for_any_number_of_threads():
    rng = np.random.default_rng(0)
    cards, scopes = (2,) * 22, [tuple(range(20)), (19, 20), (20, 21)]  # a table worth splitting
    tables = [rng.random([2] * len(scope)) for scope in scopes]
    tree = JunctionTree.compile(cards, scopes)
    one, two = (tree.marginals(tables, n_threads=k) for k in (1, 2))
    assert_array_equal(one[0], two[0])
    assert_array_equal(np.concatenate(one[1], axis=1), np.concatenate(two[1], axis=1))
    last = tables[1] @ tables[2].sum(axis=1)
    third = tables[0].sum(axis=(*range(3), *range(4, 19))) @ last
    assert_allclose(one[1][3][0], third / third.sum(), atol=1e-13)
    assert_allclose(np.exp(one[0][0]), third.sum(), rtol=1e-12)


def test_counts_are_the_same_to_the_bit_for_any_number_of_threads():
    rng = np.random.default_rng(0)
    rows = np.where(rng.random((500, 20)) < 0.8, rng.integers(2, size=(500, 20)), -1)
    chain = JunctionTree.compile((2,) * 20, [(k, k + 1) for k in range(19)])
    pairs = [rng.random((2, 2)) for _ in range(19)]
    counts = [chain.expected_counts(pairs, rows, n_threads=k)[1] for k in (1, 2, 3)]
    assert_array_equal(counts[0], counts[1])
    assert_array_equal(counts[0], counts[2])


def test_a_chain_of_ten_thousand_tiny_factors_stays_finite():
    n = 10_000
    tables = [np.array([0.5, 0.5]) * 1e-200] + [np.array([[0.9, 0.1], [0.2, 0.8]]) * 1e-30] * n
    tree = JunctionTree.compile((2,) * (n + 1), [(0,)] + [(k, k + 1) for k in range(n)])
    log_evidence, marginals = tree.marginals(tables)
    assert_allclose(log_evidence, -200 * np.log(10) - n * 30 * np.log(10), rtol=1e-12)
    assert_allclose(marginals[-1], [[2 / 3, 1 / 3]], atol=1e-12)
    value, states = tree.mpe(tables, {n: 1})
    assert np.isfinite(value).all()
    assert states.shape == (1, n + 1)


def test_many_children_of_one_cause_do_not_underflow():
    """A product of thousands of likelihoods in one clique: scaled as it grows."""
    n = 5_000
    likely = np.array([[0.6, 0.4], [0.4, 0.6]])
    tree = JunctionTree.compile((2,) * (n + 1), [(0,)] + [(0, k) for k in range(1, n + 1)])
    evidence = np.array([[-1] + [0, 1] * (n // 2)])
    log_evidence, marginals = tree.marginals([[0.5, 0.5]] + [likely] * n, evidence)
    assert_allclose(log_evidence, n / 2 * np.log(0.24), rtol=1e-12)
    assert_allclose(marginals[0], [[0.5, 0.5]], atol=1e-9)


def test_virtual_evidence_is_a_likelihood(random_model):
    """inference.18: one-hot is hard evidence, a constant is none, a scale does not matter."""
    model = random_model(np.random.default_rng(3), 5, directed=True)
    tree = JunctionTree.compile(model.cardinalities, model.scopes)
    card = model.cardinalities[2]
    hard = tree.marginals(model.tables, {2: card - 1})[1]
    one_hot = tree.marginals(model.tables, None, {2: np.eye(card)[card - 1]})[1]
    for a, b in zip(hard, one_hot, strict=True):
        assert_allclose(a, b, atol=1e-14)
    flat = tree.marginals(model.tables, None, {2: np.full(card, 7.0)})[1]
    for a, b in zip(tree.marginals(model.tables)[1], flat, strict=True):
        assert_allclose(a, b, atol=1e-14)


@pytest.mark.parametrize("heuristic", ["min-fill", "weighted-min-fill", "min-weight", "min-degree"])
def test_every_heuristic_and_any_order_gives_the_same_answer(heuristic, random_model):
    rng = np.random.default_rng(8)
    model = random_model(rng, 7)
    reference = JunctionTree.compile(model.cardinalities, model.scopes).marginals(model.tables)
    trees = [
        JunctionTree.compile(model.cardinalities, model.scopes, heuristic=heuristic),
        JunctionTree.compile(model.cardinalities, model.scopes, order=rng.permutation(7)),
        JunctionTree.compile(model.cardinalities, model.scopes, targets=[0, 6]),
    ]
    for tree in trees:
        log_evidence, marginals = tree.marginals(model.tables)
        assert_allclose(log_evidence, reference[0], atol=1e-12)
        for a, b in zip(marginals, reference[1], strict=True):
            assert_allclose(a, b, atol=1e-13)
    assert any({0, 6} <= set(c) for c in trees[2].cliques)


def test_impossible_evidence_is_said_to_be_impossible():
    tables = [np.array([1.0, 0.0]), np.eye(2)]
    tree = JunctionTree.compile((2, 2), ((0,), (0, 1)))
    with pytest.raises(ZeroProbabilityError, match="row 0") as error:
        tree.marginals(tables, {1: 1})
    assert error.value.rows == (0,)
    rows = np.array([[-1, 0], [-1, 1]] * 10)
    with pytest.raises(ZeroProbabilityError, match="rows 1, 3, 5, 7, 9 …"):
        tree.marginals(tables, rows)
    log_evidence, marginals = tree.marginals(tables, rows, impossible="zero")
    assert_array_equal(log_evidence[:2], [0.0, -np.inf])
    assert_array_equal(marginals[0][:2], [[1.0, 0.0], [0.0, 0.0]])
    _, counts = tree.expected_counts(tables, rows, impossible="zero")
    assert_array_equal(counts[1], [[10.0, 0.0], [0.0, 0.0]])
    with pytest.raises(ZeroProbabilityError):
        tree.joint(tables, (0, 1), {1: 1})
    with pytest.raises(ZeroProbabilityError):
        tree.mpe(tables, {1: 1})


def test_a_model_over_the_memory_limit_is_refused_with_its_largest_clique():
    scopes = [(i, j) for i in range(40) for j in range(i)]
    tree = JunctionTree.compile((4,) * 40, scopes)
    assert tree.plan.bytes > 1e24
    with pytest.raises(MemoryLimitError, match="approximate inference") as error:
        tree.marginals([np.ones((4, 4))] * len(scopes))
    assert error.value.clique == tuple(range(40))
    small = JunctionTree.compile((2, 2), ((0, 1),), memory_limit=16)
    with pytest.raises(MemoryLimitError, match="32 B"):
        small.marginals([np.ones((2, 2))])
    everything_seen = tree.explain_plan(dict.fromkeys(range(38), 0))
    assert everything_seen.largest_entries == 16


@pytest.mark.parametrize(
    ("evidence", "message"),
    [
        ({1: 2}, r"evidence\[0, 1\] must be -1 or a state 0..1, got 2"),
        ({5: 0}, "about variables 0..1, got 5"),
        ([[0, -2]], r"evidence\[0, 1\]"),
        ([[0, 0, 0]], r"of shape \(rows, 2\)"),
        ([[0.5, 1.0]], "integers"),
    ],
)
def test_bad_evidence_is_refused(evidence, message):
    tree = JunctionTree.compile((2, 2), ((0, 1),))
    with pytest.raises(ValueError, match=message):
        tree.marginals([np.ones((2, 2))], evidence)


def test_bad_structure_tables_and_settings_are_refused():
    with pytest.raises(
        ValueError, match="JunctionTree: cardinalities must be integers of at least 1"
    ):
        JunctionTree.compile((2, 0), ())
    with pytest.raises(ValueError, match="JunctionTree: scopes must be distinct variables"):
        JunctionTree.compile((2, 2), ((0, 0),))
    with pytest.raises(ValueError, match="JunctionTree: heuristic must be one of"):
        JunctionTree.compile((2,), ((0,),), heuristic="best")
    with pytest.raises(ValueError, match="JunctionTree: order must be a permutation"):
        JunctionTree.compile((2, 2), ((0, 1),), order=[0, 0])
    with pytest.raises(ValueError, match="JunctionTree: memory_limit must be a number above 0"):
        JunctionTree.compile((2,), ((0,),), memory_limit=0)
    tree = JunctionTree.compile((2, 2), ((0, 1),))
    with pytest.raises(ValueError, match="tables must be 1 arrays, got 2"):
        tree.marginals([np.ones((2, 2))] * 2)
    with pytest.raises(ValueError, match=r"tables\[0\] must be of shape \(2, 2\)"):
        tree.marginals([np.ones(3)])
    for bad in (-1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="finite and non-negative"):
            tree.marginals([np.full((2, 2), bad)])
    with pytest.raises(ValueError, match=r"likelihoods\[1\]"):
        tree.marginals([np.ones((2, 2))], None, {1: [1.0, 2.0, 3.0]})
    with pytest.raises(ValueError, match="impossible must be one of"):
        tree.marginals([np.ones((2, 2))], impossible="nan")
    with pytest.raises(ValueError, match="k must be an integer"):
        tree.mpe([np.ones((2, 2))], k=0)
    with pytest.raises(ValueError, match="weight must be"):
        tree.expected_counts([np.ones((2, 2))], None, [-1.0])


def test_one_state_variables_unconnected_variables_constants_and_nothing_at_all():
    tree = JunctionTree.compile((1, 3, 2), ((), (0,), (0, 2), ()))
    tables = [2.0, [3.0], [[1.0, 4.0]], 0.5]
    log_evidence, marginals = tree.marginals(tables)
    assert_allclose(np.exp(log_evidence), 2 * 3 * 5 * 0.5 * 3)
    assert_allclose(marginals[0], [[1.0]])
    assert_allclose(marginals[1], [[1 / 3] * 3])
    assert_allclose(marginals[2], [[0.2, 0.8]])
    assert_allclose(tree.marginals(tables, {0: 0, 1: 1, 2: 0})[0], np.log(3.0))
    empty = JunctionTree.compile((), ())
    assert empty.marginals([])[0].tolist() == [0.0]
    assert tree.marginals(tables, np.empty((0, 3), dtype=int))[0].shape == (0,)


def test_a_tree_can_be_pickled(random_model):
    model = random_model(np.random.default_rng(1), 5)
    tree = JunctionTree.compile(model.cardinalities, model.scopes)
    again = pickle.loads(pickle.dumps(tree))
    assert again.order == tree.order
    assert_array_equal(again.marginals(model.tables)[0], tree.marginals(model.tables)[0])
    assert repr(tree) == f"JunctionTree(5 variables, {len(model.scopes)} factors)"
