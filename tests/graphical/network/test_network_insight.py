"""What a network says about itself."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.graphical import BayesianNetwork, LinearGaussianCPD
from margin.graphical.network._network_insight import NetworkInsight
from margin.inference import enumerate_model


def test_factors_are_the_joint(burglary, oracle):
    """The product of the factors over all assignments is the distribution."""
    model = burglary.factor_model()
    exact = oracle.of_network(burglary)
    assert_allclose(enumerate_model(model).table.ravel(), exact.p, rtol=1e-12)


def test_parts_and_size(burglary):
    assert set(burglary.graph.nodes) == {"burglary", "earthquake", "alarm"}
    assert burglary.n_parameters == 6
    assert burglary.n_parameters_joint == 7
    assert_allclose(burglary.cpd("alarm").values, burglary.table("alarm"))
    with pytest.raises(ValueError, match="node must be in the network, got 'thief'"):
        burglary.cpd("thief")
    with pytest.raises(ValueError, match="variable must be one of"):
        burglary.table("thief")


def test_only_of_discrete_networks():
    network = BayesianNetwork.from_edges([], {"x": LinearGaussianCPD(0.0), "a": [0.5, 0.5]})
    for ask in (network.factor_model, lambda: network.sensitivity("a")):
        with pytest.raises(ValueError, match=r"nodes must be discrete for .*, got 'x'"):
            ask()
    explained = network.explain("a", {"x": 1.0})
    assert np.isclose(explained.posterior, 0.5)
    with pytest.raises(TypeError, match="abstract"):
        NetworkInsight()
