import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.causal import FiniteSEM


def random_sem(rng):
    parents = {"z": (), "x": ("z",), "y": ("z", "x")}
    functions, noise = {}, {}
    for name, above in parents.items():
        functions[name] = rng.integers(0, 2, (*(2,) * len(above), 3))
        functions[name][..., 0], functions[name][..., 1] = 0, 1
        noise[name] = rng.dirichlet(np.ones(3))
    return FiniteSEM(parents, functions, noise)


def test_queries_agree_with_the_network():
    """causal.10: noise summed out, seeing and doing are those of the Bayesian network"""
    rng = np.random.default_rng(0)
    for _ in range(10):
        sem = random_sem(rng)
        network = sem.network()
        for given in ({}, {"evidence": {"x": 1}}, {"do": {"x": 1}}):
            told = network.query("y", given.get("evidence"), do=given.get("do"))
            assert_allclose(sem.query("y", **given), told.values, atol=1e-9)


def test_counterfactuals_agree_with_the_twin_network():
    """causal.14: enumeration of the noise against a query of two worlds in one network"""
    rng = np.random.default_rng(1)
    for _ in range(10):
        sem = random_sem(rng)
        facts, do = {"x": 0, "y": int(rng.integers(2))}, {"x": 1}
        twin = sem.twin_network(do).query("y*", facts)
        assert_allclose(sem.counterfactual("y", facts, do=do), twin.values, atol=1e-9)
        # What is not touched stays as it was, and no facts means a plain intervention.
        same = sem.counterfactual("y", facts, do={"x": 0})
        assert_allclose(same[facts["y"]], 1)
        assert_allclose(sem.counterfactual("y", {}, do=do), sem.query("y", do=do))


def test_what_is_refused():
    rng = np.random.default_rng(0)
    sem = random_sem(rng)
    for call, message in (
        (lambda: sem.query("q"), "target must be among"),
        (lambda: sem.query("y", do={"x": 7}), "do must be states of"),
        (lambda: FiniteSEM({"x": ()}, {"x": [0, 1]}, {"x": [0.5, 0.6]}), "probabilities of sum 1"),
        (lambda: FiniteSEM({"x": ()}, {"x": [0, 1]}, {"x": [1.0]}), "an axis per parent"),
        (lambda: FiniteSEM({"x": ("y",), "y": ("x",)}, {}, {}), "cycle"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    certain = FiniteSEM({"x": ()}, {"x": [0, 1]}, {"x": [1.0, 0.0]})
    with pytest.raises(ValueError, match="of positive probability"):
        certain.query("x", {"x": 1})
