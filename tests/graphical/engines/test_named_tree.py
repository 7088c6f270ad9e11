"""Named variables on a junction tree, against enumeration."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.graphical import BayesianNetwork
from margin.graphical._domain import Domain
from margin.graphical.engines._evidence import parse
from margin.graphical.engines._named_tree import NamedTree
from margin.inference import MemoryLimitError, ZeroProbabilityError


@pytest.fixture
def engine():
    rng = np.random.default_rng(0)
    domain = Domain("Net", {"a": (0, 1), "b": (0, 1, 2), "c": (0, 1)})
    return NamedTree(domain, (2, 3, 2), [(0, 1), (1, 2)], [rng.random((2, 3)), rng.random((3, 2))])


def test_answers_by_hand(engine):
    joint = np.einsum("ab,bc->abc", *engine.tables)
    known = parse(engine.domain, {"c": 1})
    assert_allclose(engine.log_evidence(known), np.log(joint[..., 1].sum()))
    given = joint[..., 1] / joint[..., 1].sum()
    assert_allclose(engine.marginals(known)[1], [given.sum(axis=0)])
    assert_allclose(engine.joint([1, 0], known), [given.T])
    assert engine.joint([], known).shape == (1,)
    score, codes = engine.best(known, 2)
    order = np.argsort(-given.ravel())[:2]
    assert_allclose(np.exp(score[0]), given.ravel()[order])
    assert codes[0, :, :2].tolist() == [list(np.unravel_index(i, (2, 3))) for i in order]


def test_more_assignments_than_there_are(engine):
    score, _ = engine.best(parse(engine.domain, {"c": 1, "b": 0}), 5)
    assert np.isfinite(score[0]).sum() == 2
    assert_allclose(np.exp(score[0]).sum(), 1)


def test_draws_follow_the_posterior(engine):
    known = parse(engine.domain, {"c": 0})
    drawn = engine.sample([0, 1], known, 20_000, np.random.default_rng(0))[0]
    share = np.zeros((2, 3))
    np.add.at(share, tuple(drawn.T), 1 / len(drawn))
    assert_allclose(share, engine.joint([0, 1], known)[0], atol=0.015)


def test_impossible_evidence_is_named():
    network = BayesianNetwork.from_edges([("a", "b")], {"a": [1.0, 0.0], "b": [[1, 0], [0, 1]]})
    for ask in (
        network.marginals,
        lambda e: network.query("a", e),
        lambda e: network.map_query(None, e),
    ):
        with pytest.raises(ZeroProbabilityError, match="got probability 0 for b=1"):
            ask({"b": 1})
    with pytest.raises(ZeroProbabilityError, match=r"evidence in row 1 must be possible.*for b=1"):
        network.query("a", [{"b": 0}, {"b": 1}])
    assert network.log_prob({"b": 1}) == -np.inf


def test_memory_limit_names_the_clique():
    names = [f"v{i}" for i in range(12)]
    edges = [(a, "y") for a in names]
    table = np.full((2,) * 13, 0.5)
    cpds = {**{n: [0.5, 0.5] for n in names}, "y": table}
    network = BayesianNetwork.from_edges(edges, cpds, memory_limit=1000)
    assert network.explain_plan().bytes > 1000
    with pytest.raises(MemoryLimitError, match=r"largest clique is 'v0'.*approximate inference"):
        network.marginals()


def test_large_joint_is_refused(engine):
    wide = Domain("Net", {f"v{i}": tuple(range(10)) for i in range(9)})
    big = NamedTree(wide, (10,) * 9, [(i,) for i in range(9)], [np.ones(10)] * 9)
    with pytest.raises(ValueError, match="joint of the targets must have at most"):
        big.joint(list(range(9)), parse(wide, None))
