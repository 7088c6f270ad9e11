import numpy as np
import pytest

from margin.datasets import load_burglary, load_smoking, make_network_samples
from margin.datasets.networks._network import network, parse_query

CHAIN = {
    "states": {"a": ["0", "1"], "b": ["0", "1", "2"]},
    "edges": [("a", "b")],
    "cpts": {"a": [0.25, 0.75], "b": [[0.5, 0.25, 0.25], [0.0, 0.5, 0.5]]},
}


def test_fields_and_order():
    net = network("chain", **CHAIN, answers={"b=0": 0.125}, DESCR="text")
    assert net.nodes == ["a", "b"]
    assert net.parents == {"a": [], "b": ["a"]}
    assert net.cpts["b"].shape == (2, 3)
    assert net.queries == {"b=0": {"targets": {"b": "0"}, "evidence": {}, "do": {}}}


def test_nodes_are_in_topological_order_whatever_the_listing():
    net = network(
        "late",
        {"child": ["0", "1"], "parent": ["0", "1"]},
        [("parent", "child")],
        {"parent": [0.5, 0.5], "child": [[1, 0], [0, 1]]},
    )
    assert net.nodes == ["parent", "child"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"edges": [("a", "b"), ("b", "a")]}, "no cycle"),
        ({"edges": [("a", "c")]}, "must join nodes"),
        ({"edges": []}, "table of 'b' must have shape"),
        ({"cpts": {**CHAIN["cpts"], "a": [0.5, 0.6]}}, "sum to 1"),
    ],
)
def test_wrong_networks_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        network("chain", **{**CHAIN, **change})


def test_query_grammar():
    assert parse_query("a=1, b=2 | c=x y, do(d=4, e=5)") == {
        "targets": {"a": "1", "b": "2"},
        "evidence": {"c": "x y"},
        "do": {"d": "4", "e": "5"},
    }


def test_samples_follow_the_joint_distribution(ask):
    net = load_burglary()
    data = make_network_samples(net, 200_000, random_state=0).data
    alarm = data[:, net.nodes.index("alarm")] == 1
    truth = float(ask(net, {"alarm": "yes"}))
    assert abs(alarm.mean() - truth) < 5 * np.sqrt(truth / len(data))
    burglary = data[alarm, net.nodes.index("burglary")].mean()
    assert burglary == pytest.approx(0.5659, abs=5 * 0.5 / np.sqrt(alarm.sum()))


def test_interventions_cut_incoming_arrows():
    net = load_smoking("both")
    n = 100_000
    rates = {}
    for state in ("no", "yes"):
        data = make_network_samples(net, n, do={"smoking": state}, random_state=1).data
        assert set(data[:, net.nodes.index("smoking")]) == {net.states["smoking"].index(state)}
        gene = data[:, net.nodes.index("gene")].mean()
        assert gene == pytest.approx(0.5, abs=5 * 0.5 / np.sqrt(n))
        rates[state] = data[:, net.nodes.index("cancer")].mean()
    assert rates["yes"] - rates["no"] == pytest.approx(net.effect, abs=5 * 0.5 / np.sqrt(n))


def test_frame_shows_states():
    draws = make_network_samples(load_burglary(), 50, as_frame=True, random_state=0)
    assert list(draws.frame.columns) == draws.feature_names
    assert set(draws.frame["alarm"]) <= {"no", "yes"}
    assert ((draws.frame["alarm"] == "yes") == (draws.data[:, 2] == 1)).all()


def test_same_seed_same_draws():
    first, second = (make_network_samples(load_burglary(), 99, random_state=5) for _ in range(2))
    assert np.array_equal(first.data, second.data)


@pytest.mark.parametrize("do", [{"alarm": "loud"}, {"fire": "yes"}])
def test_unknown_interventions_are_refused(do):
    with pytest.raises(ValueError, match="must name a node and one of its states"):
        make_network_samples(load_burglary(), 5, do=do)
