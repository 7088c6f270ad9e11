"""Slopes of an answer in the numbers of the tables."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.graphical import BayesianNetwork


def moved(network, name, at, change):
    """The network with one entry changed, the others of its column in proportion."""
    table = network.table(name).copy()
    column = table[at[:-1]]
    theta = column[at[-1]]
    column *= (1 - theta - change) / (1 - theta)
    column[at[-1]] = theta + change
    model = network._model
    tables = {n: network.table(n) for n in network.variables}
    return BayesianNetwork.from_edges(model.edges, {**tables, name: table}, model.domain.states)


@pytest.mark.parametrize("seed", range(3))
def test_slopes_are_finite_differences(make_network, seed):
    network = make_network(np.random.default_rng(seed), n=5, cards=(2, 3))
    target, seen = network.variables[0], network.variables[-1]
    evidence = {seen: network.states[seen][0]}
    state = network.states[target][1]
    report = network.sensitivity(target, evidence, state)
    assert report.value == pytest.approx(network.query(target, evidence).values[1])
    step = 1e-6
    for name, slopes in report.slopes.items():
        for at in list(np.ndindex(slopes.shape))[:4]:
            values = [
                moved(network, name, at, sign * step).query(target, evidence).values[1]
                for sign in (1, -1)
            ]
            assert_allclose(slopes[at], (values[0] - values[1]) / (2 * step), atol=2e-6)


def test_report_reads_well(burglary):
    report = burglary.sensitivity("burglary", {"alarm": "yes"}, "yes")
    frame = report.to_frame(3)
    assert frame["node"].iloc[0] == "alarm"
    assert (np.diff(frame["slope"].abs()) <= 0).all()
    assert "p(alarm=yes | burglary=no, earthquake=no)" in repr(report)


def test_fixed_entries_have_no_slope():
    network = BayesianNetwork.from_edges([("a", "b")], {"a": [0.5, 0.5], "b": [[1, 0], [0, 1]]})
    assert_allclose(network.sensitivity("a", {}).slopes["b"], 0)
    zero = network.sensitivity("a", {"b": 0}, 1)
    assert zero.value == 0
    assert_allclose(zero.slopes["a"], 0)


def test_refusals(burglary):
    with pytest.raises(ValueError, match="target must be unobserved"):
        burglary.sensitivity("alarm", {"alarm": "yes"})
    with pytest.raises(ValueError, match="evidence must be one mapping of states"):
        burglary.sensitivity("alarm", [{"burglary": "yes"}])
