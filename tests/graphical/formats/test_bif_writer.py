"""Writing BIF, and reading it again."""

import io

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from margin.graphical import BayesianNetwork
from margin.graphical.formats._bif_writer import write_bif

ODD = """
variable "wet ground" { type discrete [ 2 ] { "a \\"b\\"", "5, or more" }; }
probability ( "wet ground" ) { table 0.7, 0.3; }
"""


def test_round_trip_keeps_every_digit(make_network, tmp_path):
    for seed in range(5):
        network = make_network(np.random.default_rng(seed))
        again = BayesianNetwork.from_bif(io.StringIO(network.to_bif()))
        assert again.states == network.states
        assert set(again.graph.edges) == set(network.graph.edges)
        for name in network.variables:
            assert_array_equal(again.table(name), network.table(name))
    odd = BayesianNetwork.from_bif(io.StringIO(ODD))
    odd.to_bif(tmp_path / "odd.bif")
    again = BayesianNetwork.from_bif(tmp_path / "odd.bif")
    assert again.states == odd.states == {"wet ground": ('a "b"', "5, or more")}
    assert_allclose(again.marginals()["wet ground"], [0.7, 0.3])


def test_names_are_quoted_where_needed(burglary):
    assert '"' not in write_bif(burglary._model)
    text = write_bif(BayesianNetwork.from_bif(io.StringIO(ODD))._model)
    assert 'variable "wet ground" {' in text
