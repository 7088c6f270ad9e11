"""The query verb against brute force."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from margin.datasets import load_burglary
from margin.graphical import MarkovNetwork, Virtual


@pytest.mark.parametrize("seed", range(6))
def test_every_kind_of_query(make_network, oracle, seed):
    rng = np.random.default_rng(seed)
    network = make_network(rng)
    exact = oracle.of_network(network)
    names = list(network.variables)
    given = {n: network.states[n][rng.integers(len(network.states[n]))] for n in names[:2]}
    weak = {names[2]: rng.random(len(network.states[names[2]])) + 0.1}
    evidence = {**given, names[2]: Virtual(weak[names[2]])}
    for name, values in network.marginals(evidence).items():
        assert_allclose(values, exact.posterior([name], given, weak), atol=1e-12)
    targets = [names[4], names[1], names[3]]
    table = exact.posterior(targets, given, weak)
    assert_allclose(network.query(targets, evidence).values, table, atol=1e-12)
    best = network.query(targets, evidence, kind="map")
    assert_allclose(np.exp(best.log_prob), table.max(), rtol=1e-10)
    whole = exact.posterior(names, given, weak)
    top = network.query(None, evidence, kind="k-best", k=4)
    ordered = np.sort(whole.ravel())[::-1]
    ordered = np.pad(ordered, (0, 4))[:4]
    assert_allclose(np.exp(top.log_prob), ordered, atol=1e-12)
    mpe = network.query(targets, evidence, kind="mpe")
    place = np.unravel_index(whole.argmax(), whole.shape)
    assert mpe.values.tolist() == [network.states[t][place[names.index(t)]] for t in targets]


def test_worked_answers_of_the_burglary_network(burglary):
    data = load_burglary()
    for text, query in data.queries.items():
        found = burglary.query(list(query["targets"]), query["evidence"], do=query["do"] or None)
        assert_allclose(found.probability(**query["targets"]), data.answers[text], rtol=1e-12)


def test_rows_equal_single_queries(make_network):
    rng = np.random.default_rng(3)
    network = make_network(rng, n=7, cards=(2, 3))
    frame = network.sample(40, random_state=0)
    hidden, target = network.variables[3], network.variables[5]
    frame = frame.drop(columns=[hidden])
    frame = frame.mask(rng.random(frame.shape) < 0.3)
    frame[target] = np.nan
    batch = network.query([target, hidden], frame)
    marginals = network.marginals(frame)
    assignments = network.map_query([target, hidden], frame)
    for at, row in enumerate(frame.to_dict("records")):
        known = {n: s for n, s in row.items() if isinstance(s, str)}
        single = network.query([target, hidden], known)
        assert_allclose(batch.values[at], single.values, atol=1e-12)
        assert_allclose(marginals[hidden][at], network.marginals(known)[hidden], atol=1e-12)
        best = assignments.iloc[at].to_dict()
        assert_allclose(single.probability(**best), single.values.max(), rtol=1e-9)


def test_observed_targets_are_certain(burglary):
    found = burglary.query(["alarm", "burglary"], {"alarm": "yes"})
    assert found.probability(alarm="yes") == pytest.approx(1)
    frame = pd.DataFrame({"alarm": ["yes", None]})
    assert_allclose(burglary.query("alarm", frame).values[0], [0, 1])
    assert_allclose(burglary.query("alarm", frame).values[1], burglary.marginals()["alarm"])


def test_no_rows_no_answers(burglary):
    assert burglary.query("burglary", pd.DataFrame({"alarm": []})).values.shape == (0, 2)


def test_plan_is_known_before_the_work(burglary):
    plan = burglary.explain_plan()
    assert plan.treewidth == 2
    assert set(plan.largest_clique) == {"burglary", "earthquake", "alarm"}
    assert burglary.explain_plan("burglary").largest_clique == ("burglary",)
    assert burglary.explain_plan("burglary", ["alarm"]).treewidth == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"targets": "burglary", "kind": "best"}, "kind must be one of 'marginal', 'joint'"),
        ({"targets": None}, "targets must be variables to ask for"),
        ({"targets": "thief"}, "variable must be one of"),
        ({"targets": ["alarm", "alarm"]}, "variables must differ"),
        ({"targets": "alarm", "kind": "k-best", "k": 0}, "k must be an integer of at least 1"),
        ({"targets": "alarm", "kind": "sample", "n_samples": 1.5}, "n_samples must be"),
        ({"targets": "alarm", "do": {"thief": 1}}, "do must name nodes"),
    ],
)
def test_refusals(burglary, options, message):
    with pytest.raises(ValueError, match=f"BayesianNetwork: {message}"):
        burglary.query(**options)


def test_no_targets_and_no_possible_assignment(burglary):
    with pytest.raises(ValueError, match=r"targets must be variables to ask for, got \[\]"):
        burglary.query([])
    with pytest.raises(ValueError, match="factors must allow some assignment, got a total weight"):
        MarkovNetwork([(("a", "b"), np.zeros((2, 2)))]).marginals()
