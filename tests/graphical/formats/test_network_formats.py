"""Every format brings the network back."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.graphical import BayesianNetwork
from margin.graphical.formats._network_formats import NetworkFormats


@pytest.mark.parametrize("kind", ["bif", "xmlbif", "networkx"])
def test_there_and_back(make_network, kind, tmp_path):
    network = make_network(np.random.default_rng(3))
    assert isinstance(network, NetworkFormats)
    if kind == "networkx":
        again = BayesianNetwork.from_networkx(network.to_networkx())
    else:
        path = tmp_path / f"net.{kind}"
        getattr(network, f"to_{kind}")(path)
        again = getattr(BayesianNetwork, f"from_{kind}")(path)
    assert set(again.graph.edges) == set(network.graph.edges)
    for name, values in network.marginals().items():
        assert_allclose(again.marginals()[name], values, rtol=1e-12)


def test_uai_keeps_the_order_of_the_nodes(make_network, tmp_path):
    network = make_network(np.random.default_rng(5))
    network.to_uai(tmp_path / "net.uai")
    again = BayesianNetwork.from_uai(tmp_path / "net.uai")
    found = list(again.marginals().values())
    for at, values in enumerate(network.marginals().values()):
        assert_allclose(found[at], values, rtol=1e-12)
