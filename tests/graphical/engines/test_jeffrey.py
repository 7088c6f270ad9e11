"""Jeffrey's rule."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.graphical import BayesianNetwork, Soft, Virtual
from margin.graphical.engines._evidence import Evidence

CHAIN = BayesianNetwork.from_edges(
    [("y", "x")], {"y": [0.2, 0.5, 0.3], "x": [[0.8, 0.2], [0.5, 0.5], [0.1, 0.9]]}
)


def test_worked_example():
    """Evidence (0.3, 0.15, 0.55) with p(x=1 | y) = (0.2, 0.5, 0.9) gives 0.63."""
    found = CHAIN.query("x", {"y": Soft([0.3, 0.15, 0.55])}).values
    assert_allclose(found, [0.37, 0.63], rtol=1e-13)


def test_certain_soft_evidence_is_hard(burglary):
    soft = burglary.query("burglary", {"alarm": Soft([0, 1])}).values
    assert_allclose(soft, burglary.query("burglary", {"alarm": "yes"}).values, rtol=1e-13)


def test_several_soft_variables_all_have_their_distribution(make_network, oracle):
    """inference.17: against the scaled joint table; hard and virtual evidence enter first."""
    network = make_network(np.random.default_rng(1), cards=(2, 3))
    a, b, c, d, e, _ = network.variables
    exact = oracle.of_network(network)
    rng = np.random.default_rng(0)
    q = {n: rng.dirichlet(np.ones(len(network.states[n]))) for n in (a, b)}
    likelihood = {c: rng.random(len(network.states[c])) + 0.1}
    table = exact.posterior([a, b, d], {e: "s1"}, likelihood)
    for _ in range(500):
        table = table * (q[a] / table.sum(axis=(1, 2)))[:, None, None]
        table = table * (q[b] / table.sum(axis=(0, 2)))[None, :, None]
    evidence = {a: Soft(q[a]), b: Soft(q[b]), c: Virtual(likelihood[c]), e: "s1"}
    assert_allclose(network.query([a, b, d], evidence).values, table, atol=1e-12)
    found = network.marginals(evidence)
    assert_allclose(found[d], table.sum(axis=(0, 1)), atol=1e-12)
    assert_allclose(found[a], q[a], atol=1e-12)
    assert_allclose(found[b], q[b], atol=1e-12)


def test_rows_of_soft_evidence(burglary):
    """inference.17: a distribution per row is one query per row."""
    alarm = np.array([[0.5, 0.5], [0.1, 0.9], [1.0, 0.0]])
    quake = np.array([[0.9, 0.1], [0.4, 0.6], [0.98, 0.02]])
    rows = burglary.query("burglary", {"alarm": Soft(alarm), "earthquake": Soft(quake)}).values
    for row, one, other in zip(rows, alarm, quake, strict=True):
        single = burglary.query("burglary", {"alarm": Soft(one), "earthquake": Soft(other)})
        assert_allclose(row, single.values, atol=1e-12)


def test_one_soft_variable_is_the_virtual_evidence_of_the_ratio(burglary):
    q = np.array([0.4, 0.6])
    ratio = q / burglary.marginals()["alarm"]
    soft = burglary.query("burglary", {"alarm": Soft(q)}).values
    assert_allclose(soft, burglary.query("burglary", {"alarm": Virtual(ratio)}).values, rtol=1e-12)


def test_assignments_and_draws_under_soft_evidence():
    q = np.array([0.1, 0.2, 0.7])
    joint = q[:, None] * CHAIN.table("x")
    best = CHAIN.query(None, {"y": Soft(q)}, kind="k-best", k=3)
    assert_allclose(np.exp(best.log_prob), np.sort(joint.ravel())[:-4:-1], rtol=1e-12)
    for values, score in zip(best.values.tolist(), best.log_prob, strict=True):
        assert_allclose(joint[tuple(values)], np.exp(score), rtol=1e-12)
    drawn = CHAIN.query(["x"], {"y": Soft(q)}, kind="sample", n_samples=4000, random_state=0)
    assert_allclose(np.mean(drawn.values == 1), joint[:, 1].sum(), atol=0.03)


def test_refusals(burglary):
    engine = burglary._engine().tree(["alarm"])
    codes = np.zeros((1, len(engine.domain.names)), dtype=np.int32)
    both = Evidence(codes, soft={engine.domain.index["alarm"]: np.full((1, 2), 0.5)})
    with pytest.raises(ValueError, match="evidence on 'alarm' must be soft or hard, got both"):
        engine.marginals(both)
    model = BayesianNetwork.from_edges([("y", "x")], {"y": [1.0, 0.0], "x": [[1, 0], [0, 1]]})
    message = r"BayesianNetwork: soft evidence must be possible, for 'y' got \[1. 0.\] at best"
    with pytest.raises(ValueError, match=message):
        model.query("x", {"y": Soft([0.5, 0.5])})
    copy = BayesianNetwork.from_edges([("y", "x")], {"y": [0.5, 0.5], "x": [[1, 0], [0, 1]]})
    with pytest.raises(ValueError, match=r"must be possible and together, for '[xy]' got"):
        copy.marginals({"y": Soft([0.5, 0.5]), "x": Soft([0.2, 0.8])})
