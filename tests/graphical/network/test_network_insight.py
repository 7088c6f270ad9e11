"""What a network says about itself."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin import inference
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


def test_the_engines_of_inference_take_networks(burglary):
    """A network by its factors; anything else is refused by the name of the function."""
    factors = burglary.factor_model()
    evidence = {list(burglary.variables).index("alarm"): 1}
    for ask in (inference.eliminate, inference.enumerate_model):
        assert_allclose(ask(burglary, [0], evidence).table, ask(factors, [0], evidence).table)
    for ask in (inference.mean_field, inference.loopy_bp, inference.loop_cut_conditioning):
        expected = ask(factors, evidence).marginals
        for ours, theirs in zip(ask(burglary, evidence).marginals, expected, strict=True):
            assert_allclose(ours, theirs)
    assert inference.gibbs(burglary, 10, rng=0).states.shape[0] == 10
    for name in ("mean_field", "eliminate", "loopy_bp", "sum_product", "loop_cutset"):
        with pytest.raises(ValueError, match=f"{name}: model must be a FactorModel or have a fac"):
            getattr(inference, name)([0.5, 0.5])
    with pytest.raises(ValueError, match=r"gibbs: model must be .*, got ABCMeta"):
        inference.gibbs(BayesianNetwork, 10, rng=0)


def test_numbered_evidence_says_so(burglary):
    with pytest.raises(ValueError, match=r"mean_field: evidence must be about variables 0..2, got"):
        inference.mean_field(burglary, {"alarm": 1})
    with pytest.raises(ValueError, match=r"mean_field: evidence on 2 must be -1 or a state 0..1"):
        inference.mean_field(burglary, {2: "yes"})
