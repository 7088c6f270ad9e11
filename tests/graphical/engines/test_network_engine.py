"""Which engine a network gets."""

import pytest
from numpy.testing import assert_allclose

from margin.graphical import BayesianNetwork, ConditionalGaussianCPD, LinearGaussianCPD
from margin.graphical.engines._discrete_engine import DiscreteEngine
from margin.graphical.engines._engine import Question
from margin.graphical.engines._gaussian_engine import GaussianEngine
from margin.graphical.engines._hybrid_engine import HybridEngine
from margin.graphical.engines._network_engine import network_engine

NORMAL = {"x": LinearGaussianCPD(1.0, variance=4.0), "y": LinearGaussianCPD(0.0, [2.0], 1.0)}
SWITCH = {"a": [0.5, 0.5], "x": ConditionalGaussianCPD([0.0, 1.0])}


@pytest.mark.parametrize(
    ("edges", "cpds", "kind"),
    [
        ([], {"a": [0.5, 0.5]}, DiscreteEngine),
        ([("x", "y")], NORMAL, GaussianEngine),
        ([("a", "x")], SWITCH, HybridEngine),
        ([], {"a": [0.5, 0.5], "x": LinearGaussianCPD(0.0)}, HybridEngine),
    ],
)
def test_by_the_kinds_of_the_nodes(edges, cpds, kind):
    assert type(network_engine(BayesianNetwork.from_edges(edges, cpds)._model)) is kind


def test_two_engines_agree_on_a_linear_gaussian_network():
    """The hybrid engine with one configuration, and the Gaussian one."""
    network = BayesianNetwork.from_edges([("x", "y")], NORMAL)._model
    one, two = GaussianEngine(network), HybridEngine(network)
    question = Question(["x", "y"], {"y": 3.0})
    assert_allclose(one.query(question).mean, two.query(question).mean, rtol=1e-14)
    assert_allclose(one.query(question).covariance, two.query(question).covariance, atol=1e-14)
    assert_allclose(one.log_prob({"y": 3.0}), two.log_prob({"y": 3.0}), rtol=1e-14)
    assert_allclose(one.marginals()["y"].mean, two.marginals()["y"].mean)
