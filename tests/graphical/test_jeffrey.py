"""Jeffrey's rule."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.graphical import BayesianNetwork, Soft, Virtual
from margin.graphical._evidence import Evidence
from margin.graphical._jeffrey import expand

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


def test_average_of_hard_evidence_over_all_configurations(make_network, oracle):
    network = make_network(np.random.default_rng(1), cards=(2, 3))
    a, b, c, d, *_ = network.variables
    exact = oracle.of_network(network)
    rng = np.random.default_rng(0)
    q = {n: rng.dirichlet(np.ones(len(network.states[n]))) for n in (a, b)}
    likelihood = {c: rng.random(len(network.states[c])) + 0.1}
    expected = sum(
        pa * pb * exact.posterior([d], {a: sa, b: sb}, likelihood)
        for sa, pa in zip(network.states[a], q[a], strict=True)
        for sb, pb in zip(network.states[b], q[b], strict=True)
    )
    evidence = {a: Soft(q[a]), b: Soft(q[b]), c: Virtual(likelihood[c])}
    assert_allclose(network.query(d, evidence).values, expected, rtol=1e-10)
    assert_allclose(network.marginals(evidence)[d], expected, rtol=1e-10)
    assert_allclose(network.marginals(evidence)[a], q[a], rtol=1e-10)


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


def test_refusals():
    soft = {0: np.full((1, 2), 0.5)}
    with pytest.raises(ValueError, match="soft or hard, got both"):
        expand("Net", Evidence(np.array([[1]], dtype=np.int32), soft=soft))
    many = {v: np.full((1, 10), 0.1) for v in range(6)}
    with pytest.raises(ValueError, match="at most 100000 configurations, got 1000000"):
        expand("Net", Evidence(np.full((1, 6), -1, dtype=np.int32), soft=many))
    model = BayesianNetwork.from_edges([("y", "x")], {"y": [1.0, 0.0], "x": [[1, 0], [0, 1]]})
    with pytest.raises(ValueError, match="must be possible, got probability 0"):
        model.query("x", {"y": Soft([0.5, 0.5])})
