import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.causal import Conditional, FiniteSEM, Hard, Shift, Stochastic


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
        (lambda: sem.query("q"), "targets must be among"),
        (lambda: sem.query("y", do={"x": 7}), "do must be states of"),
        (lambda: sem.query("y", {"x": 0.5}), "evidence must be states of"),
        (lambda: sem.query([]), "targets must be at least one"),
        (lambda: sem.query("y", do={"x": "a"}), "do must be states of"),
        (lambda: sem.query("y", do={"q": 1}), "do must be states of"),
        (lambda: sem.query("y", do={"x": Shift(1)}), "do.'x'. must be a state, Hard"),
        (lambda: sem.query("y", do={"x": Stochastic([0.5, 0.6])}), "2 probabilities of sum 1"),
        (lambda: sem.query("y", do={"x": Conditional(int, ("q",))}), "Conditional on nodes among"),
        (lambda: sem.query("y", do={"x": Conditional(lambda z: 5, ("z",))}), "must be states of"),
        (lambda: sem.query("y", do={"x": Conditional(int, ("y",))}), "cycle"),
        (lambda: FiniteSEM({"x": ()}, {"x": [0, 1]}, {"x": [0.5, 0.6]}), "probabilities of sum 1"),
        (lambda: FiniteSEM({"x": ()}, {"x": [0, 1]}, {"x": [1.0]}), "an axis per parent"),
        (lambda: FiniteSEM({"x": ("y",), "y": ("x",)}, {}, {}), "cycle"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
    certain = FiniteSEM({"x": ()}, {"x": [0, 1]}, {"x": [1.0, 0.0]})
    with pytest.raises(ValueError, match="of positive probability"):
        certain.query("x", {"x": 1})


def test_stochastic_and_conditional_interventions():
    """causal.05: mixtures of hard ones, by the law or by the rule"""
    rng = np.random.default_rng(2)
    for _ in range(5):
        sem = random_sem(rng)
        hard = [sem.query("y", do={"x": x}) for x in (0, 1)]
        coin = {"x": Stochastic([0.3, 0.7])}
        assert_allclose(sem.query("y", do=coin), 0.3 * hard[0] + 0.7 * hard[1])
        assert_allclose(sem.query("y", do={"x": Hard(1)}), hard[1])
        share = sem.query("z")
        plan = {"x": Conditional(lambda z: 1 - z, ("z",))}
        told = sum(share[z] * sem.query("y", {"z": z}, do={"x": 1 - z}) for z in (0, 1))
        assert_allclose(sem.query("y", do=plan), told)
        facts = {"x": 1, "y": int(np.argmax(sem.query("y")))}
        mixed = [sem.counterfactual("y", facts, do={"x": x}) for x in (0, 1)]
        assert_allclose(sem.counterfactual("y", facts, do=coin), 0.3 * mixed[0] + 0.7 * mixed[1])
        for do in (coin, plan):
            twin = sem.twin_network(do).query("y*", facts)
            assert_allclose(sem.counterfactual("y", facts, do=do), twin.values, atol=1e-9)


def test_joint_targets_and_draws():
    sem = random_sem(np.random.default_rng(3))
    joint = sem.query(["y", "x"], do={"z": 1})
    assert_allclose(joint.sum(axis=1), sem.query("y", do={"z": 1}))
    assert_allclose(joint.sum(axis=0), sem.query("x", do={"z": 1}))
    both = sem.counterfactual(["x", "y"], {"y": 1}, do={"z": 0})
    assert_allclose(both.sum(axis=0), sem.counterfactual("y", {"y": 1}, do={"z": 0}))
    drawn = sem.sample(40_000, do={"z": 1}, random_state=0)
    assert list(drawn) == ["z", "x", "y"]
    found = np.histogram2d(drawn["y"], drawn["x"], bins=2)[0] / 40_000
    assert_allclose(found, joint, atol=0.01)


def test_nodes_of_the_twin_network():
    """causal.14"""
    sem = random_sem(np.random.default_rng(4))
    names = set(sem.twin_network({"x": 1}).states)
    assert names == {f"{n}{end}" for n in "zxy" for end in ("", "*", " noise")}


def test_too_many_worlds_are_refused():
    names = [f"x{i}" for i in range(40)]
    sem = FiniteSEM(
        dict.fromkeys(names, ()), {n: [0, 1] for n in names}, {n: [0.5, 0.5] for n in names}
    )
    with pytest.raises(ValueError, match="FiniteSEM: noise must be such that at most"):
        sem.query("x0")
