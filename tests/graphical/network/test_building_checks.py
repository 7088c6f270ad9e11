"""Doubts about a model (graphical.09)."""

import numpy as np
import pytest

from margin.graphical import BayesianNetwork


def test_every_doubt_is_told():
    """graphical.09: zeros, latent causes, causal order, size."""
    cpds = {
        "a": [1.0, 0.0],
        "b": [0.5, 0.5],
        "x": np.full((2, 2, 2), 0.5),
        "y": np.full((2, 2, 2), 0.5),
        "alone": [1.0],
    }
    edges = [("a", "x"), ("b", "x"), ("a", "y"), ("b", "y")]
    report = BayesianNetwork.from_edges(edges, cpds).check_model([["x"], ["a", "b"]])
    assert report.zero_probabilities == {"a": 1}
    assert report.unconnected == ("alone",)
    assert report.one_state == ("alone",)
    assert report.against_time == (("a", "x"), ("b", "x"))
    assert report.shared_children == (("a", "b"),)
    text = repr(report)
    assert "no evidence can overcome them" in text
    assert "latent common cause" in text
    assert len(report.warnings) == 6


def test_large_table():
    cards = {f"v{i}": 6 for i in range(5)}
    cpds = {n: np.full(6, 1 / 6) for n in cards}
    cpds["y"] = np.full((6,) * 5 + (2,), 0.5)
    network = BayesianNetwork.from_edges([(n, "y") for n in cards], cpds)
    assert network.check_model().large_tables == {"y": 2 * 6**5}


def test_a_good_model_raises_none(burglary):
    report = burglary.check_model([["burglary", "earthquake"], ["alarm"]])
    assert report.warnings == ()
    assert repr(report) == "model check: no doubts"
    with pytest.raises(ValueError, match="causal_order must name nodes, got 'x'"):
        burglary.check_model([["x"]])
