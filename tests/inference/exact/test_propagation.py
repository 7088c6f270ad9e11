"""Evidence that comes and goes, against enumeration and the compiled tree.

inference.20 and inference.21: any schedule of messages gives the same answer; inference.11: long
chains and extreme evidence stay finite.
"""

import copy
import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.inference import (
    FactorModel,
    JunctionTree,
    MemoryLimitError,
    Propagation,
    ZeroProbabilityError,
    enumerate_model,
)


def session_of(model, evidence=None):
    tree = JunctionTree.compile(model.cardinalities, model.scopes)
    return tree.propagation(model.tables, evidence)


def chain(n, pair=((0.9, 0.1), (0.2, 0.8))):
    scopes = ((0,), *((k, k + 1) for k in range(n - 1)))
    return FactorModel((2,) * n, scopes, ([0.5, 0.5], *[pair] * (n - 1)))


def change(rng, session, cards, evidence):
    """Observe, change or retract up to two variables, in the session and in a plain mapping."""
    some = [int(v) for v in rng.permutation(len(cards))[: int(rng.integers(1, 3))]]
    if rng.random() < 0.6:
        new = {v: int(rng.integers(cards[v])) for v in some}
        session.observe(new)
        evidence.update(new)
    elif gone := [v for v in some if v in evidence]:
        session.retract(gone)
        for v in gone:
            del evidence[v]


def check_against_enumeration(rng, session, model, evidence):
    assert session.evidence == evidence
    n = model.n_variables
    kind = rng.integers(4)
    if kind == 0:
        asked = (int(rng.integers(n)),)
        ask = lambda: session.marginal(asked[0])  # noqa: E731
    else:
        asked = tuple(map(int, rng.permutation(n)[: int(rng.integers(0, min(n, 4) + 1))]))
        ask = lambda: session.joint(asked)  # noqa: E731
    oracle = enumerate_model(model, asked, evidence)
    if rng.random() < 0.5:
        with np.errstate(divide="ignore"):
            wanted = np.log(oracle.evidence_mass)
        assert_allclose(session.log_evidence(), wanted, atol=1e-11)
    if oracle.evidence_mass == 0:
        with pytest.raises(ZeroProbabilityError, match="probability zero"):
            ask()
    else:
        assert_allclose(ask(), oracle.table, atol=1e-12)


@pytest.mark.parametrize("seed", range(30))
def test_random_sequences_of_evidence_agree_with_enumeration(seed, random_model):
    """Impossible evidence on the way included: the session goes on after the refusal."""
    rng = np.random.default_rng(seed)
    model = random_model(
        rng,
        7 if seed % 2 else None,
        zeros=seed % 3 == 0,
        tree=seed % 5 == 0,
        directed=seed % 7 == 1 and seed % 3 > 0,
    )
    session, evidence = session_of(model), {}
    for _ in range(25):
        change(rng, session, model.cardinalities, evidence)
        check_against_enumeration(rng, session, model, evidence)


@pytest.mark.parametrize("seed", range(4))
def test_a_larger_model_agrees_with_the_compiled_tree(seed):
    rng = np.random.default_rng(seed)
    n = 40
    cards = tuple(map(int, rng.integers(1, 4, n)))
    scopes = [(int(rng.integers(max(0, k - 6), k)), k) for k in range(1, n)] + [(3, 9), (20, 31)]
    tables = [rng.random([cards[v] for v in scope]) for scope in scopes]
    tree = JunctionTree.compile(cards, scopes)
    session, evidence = tree.propagation(tables), {}
    for _ in range(15):
        change(rng, session, cards, evidence)
        log_evidence, marginals = tree.marginals(tables, evidence)
        assert_allclose(session.log_evidence(), log_evidence[0], atol=1e-11)
        v = int(rng.integers(n))
        assert_allclose(session.marginal(v), marginals[v][0], atol=1e-12)
        asked = tuple(map(int, rng.permutation(n)[:3]))
        assert_allclose(session.joint(asked), tree.joint(tables, asked, evidence)[0], atol=1e-12)
    for found, wanted in zip(session.marginals(), marginals, strict=True):
        assert_allclose(found, wanted[0], atol=1e-12)


def test_only_messages_that_changed_and_are_needed_are_sent():
    """inference.21: n - 1 messages to one clique, 2 (n - 1) to all, a path after a change."""
    n = 101
    session = session_of(chain(n))
    assert session.n_messages == 2 * (n - 2)
    session.marginal(50)
    assert session.messages_sent == session.n_messages // 2
    session.marginals()
    assert session.messages_sent == session.n_messages
    session.marginals()
    session.log_evidence()
    assert session.messages_sent == session.n_messages
    before = session.messages_sent
    session.observe({60: 1})
    session.log_evidence()  # read where the evidence came in: nothing has to travel
    assert session.messages_sent == before
    session.marginal(50)
    assert 1 <= session.messages_sent - before <= 11
    session.marginal(70)
    assert session.messages_sent - before <= 22
    session.marginals()
    assert session.messages_sent - before <= n  # only those that point away from 60
    before = session.messages_sent
    session.observe({60: 1})
    session.marginals()
    assert session.messages_sent == before  # the same evidence again is no change


def test_a_change_in_one_of_many_children_passes_few_nodes():
    n = 513
    likely = np.array([[0.6, 0.4], [0.4, 0.6]])
    scopes = ((0,), *((0, k) for k in range(1, n)))
    session = session_of(FactorModel((2,) * n, scopes, ([0.5, 0.5], *[likely] * (n - 1))))
    session.observe({k: k % 2 for k in range(1, n)})
    assert_allclose(session.marginal(0), [0.5, 0.5], atol=1e-12)
    before = session.messages_sent
    session.observe({7: 0})
    assert_allclose(session.marginal(0), np.array([9.0, 4.0]) / 13, atol=1e-12)
    assert session.messages_sent - before <= 12


def test_evidence_that_nearly_contradicts_itself_does_not_underflow():
    """Two thousand witnesses on each side: either message alone underflows in probabilities."""
    n = 4001
    likely = np.array([[0.6, 0.4], [0.4, 0.6]])
    scopes = ((0,), *((0, k) for k in range(1, n)))
    session = session_of(FactorModel((2,) * n, scopes, ([0.5, 0.5], *[likely] * (n - 1))))
    session.observe({k: int(k > 2000) for k in range(1, n)})
    assert_allclose(session.marginal(0), [0.5, 0.5], atol=1e-9)
    assert_allclose(session.log_evidence(), 2000 * np.log(0.24), rtol=1e-12)


def test_a_chain_of_two_thousand_tiny_factors_stays_finite():
    n = 2000
    session = session_of(chain(n, np.array([[0.9, 0.1], [0.2, 0.8]]) * 1e-30))
    assert_allclose(session.log_evidence(), -(n - 1) * 30 * np.log(10), rtol=1e-12)
    assert_allclose(session.marginal(n - 1), [2 / 3, 1 / 3], atol=1e-12)
    session.observe({n - 2: 1})
    assert_allclose(session.marginal(n - 1), [0.2, 0.8], atol=1e-12)
    far = session.joint((0, n - 1))
    assert_allclose(far.sum(), 1.0)
    assert_allclose(far, np.outer(far.sum(1), [0.2, 0.8]), atol=1e-12)


def test_impossible_evidence_is_refused_and_can_be_taken_back():
    """Zeros are never divided by, so they leave nothing behind; other components notice too."""
    model = FactorModel((2, 2, 2), ((0,), (0, 1), (2,)), ([1.0, 0.0], np.eye(2), [0.3, 0.7]))
    session = session_of(model, {1: 1})
    assert session.log_evidence() == -np.inf
    for v in range(3):
        with pytest.raises(ZeroProbabilityError, match=r"probability zero for \{1: 1\}"):
            session.marginal(v)
    session.retract([1])
    assert_array_equal(session.marginal(1), [1.0, 0.0])
    assert_allclose(session.marginal(2), [0.3, 0.7])
    session.observe({1: 0, 2: 1})
    assert_allclose(session.log_evidence(), np.log(0.7))
    session.retract()
    assert session.evidence == {}
    assert_allclose(session.log_evidence(), 0.0, atol=1e-15)


def test_one_state_variables_constants_and_nothing_at_all():
    tree = JunctionTree.compile((1, 3, 2), ((), (0,), (0, 2), ()))
    session = tree.propagation([2.0, [3.0], [[1.0, 4.0]], 0.5])
    assert_allclose(np.exp(session.log_evidence()), 45.0)
    assert_allclose(session.joint((2, 0, 1)), np.outer([0.2, 0.8], [1 / 3] * 3)[:, None, :])
    session.observe({0: 0, 1: 1, 2: 0})
    assert_allclose(session.log_evidence(), np.log(3.0))
    session.retract([0])
    assert session.evidence == {1: 1, 2: 0}
    assert_allclose(session.marginal(0), [1.0])
    empty = JunctionTree.compile((), ()).propagation([])
    assert empty.log_evidence() == 0.0
    assert empty.marginals() == []


def test_a_table_over_the_memory_limit_is_refused_until_enough_is_observed():
    scopes = [(i, j) for i in range(40) for j in range(i)]
    tree = JunctionTree.compile((4,) * 40, scopes)
    session = tree.propagation([np.ones((4, 4))] * len(scopes))
    with pytest.raises(MemoryLimitError, match="approximate inference") as error:
        session.marginal(0)
    assert error.value.clique == tuple(range(40))
    session.observe(dict.fromkeys(range(2, 40), 0))
    assert_allclose(session.joint((0, 1)), np.full((4, 4), 1 / 16))


@pytest.mark.parametrize(
    ("evidence", "message"),
    [
        ({3: 0}, "evidence must be about variables 0..2, got 3"),
        ({0: 0, 1: 2}, r"evidence\[1\] must be a state 0..1, got 2"),
        ({1: -1}, r"evidence\[1\] must be a state 0..1, got -1"),
        ({1: 0.5}, r"evidence\[1\] must be a state"),
        ({1: True}, r"evidence\[1\] must be a state"),
    ],
)
def test_bad_evidence_changes_nothing(evidence, message):
    session = session_of(chain(3), {2: 1})
    with pytest.raises(ValueError, match=f"Propagation: {message}"):
        session.observe(evidence)
    assert session.evidence == {2: 1}


def test_other_bad_input_is_refused():
    session = session_of(chain(3), {2: 1})
    with pytest.raises(ValueError, match="variables must be observed ones, got 0"):
        session.retract([2, 0])
    assert session.evidence == {2: 1}
    with pytest.raises(ValueError, match="distinct variables"):
        session.joint((0, 0))
    with pytest.raises(ValueError, match="distinct variables"):
        session.marginal(5)
    tree = JunctionTree.compile((2, 2), ((0, 1),))
    with pytest.raises(ValueError, match="evidence must be one row"):
        tree.propagation([np.ones((2, 2))], np.zeros((2, 2), dtype=int))
    with pytest.raises(ValueError, match="finite and non-negative"):
        tree.propagation([np.full((2, 2), np.nan)])


def test_sessions_are_independent_copies():
    tables = [np.array([0.5, 0.5]), np.array([[0.9, 0.1], [0.2, 0.8]])]
    session = JunctionTree.compile((2, 2), ((0,), (0, 1))).propagation(tables)
    other = copy.deepcopy(session)
    again = pickle.loads(pickle.dumps(session))
    other.observe({1: 1})
    tables[0][:] = 7.0
    assert_allclose(session.marginal(0), [0.5, 0.5])
    assert_allclose(again.marginal(0), [0.5, 0.5])
    assert_allclose(other.marginal(0), [1 / 9, 8 / 9])
    assert isinstance(other, Propagation)
    assert repr(other) == "Propagation(1 observed, 0 of 0 messages valid)"
