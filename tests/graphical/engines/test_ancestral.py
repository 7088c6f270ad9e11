"""Draws from a network (graphical.01)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.graphical import BayesianNetwork, LinearGaussianCPD
from margin.graphical.engines._ancestral import ancestral, draw


def test_ancestral_draws_have_the_marginals(make_network):
    """graphical.01"""
    network = make_network(np.random.default_rng(5), cards=(2, 3))
    frame = network.sample(20_000, random_state=0)
    for name, values in network.marginals().items():
        share = [np.mean(frame[name] == s) for s in network.states[name]]
        assert_allclose(share, values, atol=0.015)


def test_draws_given_evidence(burglary):
    frame = burglary.sample(4000, {"alarm": "yes"}, random_state=0)
    assert set(frame["alarm"]) == {"yes"}
    assert_allclose(np.mean(frame["burglary"] == "yes"), 0.566, atol=0.03)
    both = np.mean((frame["burglary"] == "yes") & (frame["earthquake"] == "no"))
    assert_allclose(both, 0.554, atol=0.03)


def test_draws_under_an_intervention(burglary):
    frame = burglary.sample(4000, do={"alarm": "yes"}, random_state=0)
    assert set(frame["alarm"]) == {"yes"}
    assert_allclose(np.mean(frame["burglary"] == "yes"), 0.01, atol=0.01)


def test_same_seed_same_draws(burglary):
    first, second = (burglary.sample(50, random_state=3) for _ in range(2))
    assert first.equals(second)
    assert len(burglary.sample(0)) == 0
    assert len(burglary.sample(0, {"alarm": "yes"})) == 0
    codes = burglary.sample(5, random_state=3, as_frame=False)
    assert codes["alarm"].shape == (5,)
    with pytest.raises(ValueError, match="n_samples must be an integer of at least 0, got -1"):
        burglary.sample(-1)


def test_continuous_draws():
    cpds = {"x": LinearGaussianCPD(1.0, variance=4.0), "y": LinearGaussianCPD(0.0, [2.0], 1.0)}
    network = BayesianNetwork.from_edges([("x", "y")], cpds)
    drawn = ancestral(network._model, 20_000, np.random.default_rng(0))
    assert_allclose(np.mean(drawn["y"]), 2.0, atol=0.1)
    assert_allclose(np.cov(drawn["x"], drawn["y"]), [[4, 8], [8, 17]], rtol=0.05)


def test_draw_respects_zeros():
    table = np.tile([0.0, 0.3, 0.0, 0.7], (5000, 1))
    found = draw(table, np.random.default_rng(0))
    assert set(found) == {1, 3}
    assert_allclose(np.mean(found == 3), 0.7, atol=0.03)
