import networkx as nx
import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from margin.causal import Conditional, LinearSEM, Shift, Stochastic
from margin.distributions import Normal
from margin.graphs import PDAG

ARROWS = {("z", "x"): 1.0, ("z", "y"): 2.0, ("x", "m"): -1.5, ("m", "y"): 0.7, ("x", "y"): 0.5}


@pytest.fixture(scope="module")
def sem():
    return LinearSEM.from_coefficients(
        ARROWS, {"y": 1.0, "z": -2.0}, {"x": 0.5, "y": 2.0, "m": 0.3}
    )


def test_laws_are_those_of_draws(sem):
    """causal.10: closed forms against the sampler, with and without interventions"""
    for do in (None, {"x": 1.0}, {"x": Shift(2.0, 0.5)}, {"x": Stochastic(Normal(3.0, 0.5))}):
        draws = sem.sample(60_000, do=do, random_state=0)
        told = sem.query(list(sem.names_), do=do)
        table = np.column_stack([draws[name] for name in sem.names_])
        assert_allclose(table.mean(axis=0), told.mean, atol=0.06)
        assert_allclose(np.cov(table.T), told.covariance, atol=0.15, rtol=0.04)


def test_interventions_cut_arrows_and_shifts_do_not(sem):
    """causal.05, causal.06: do differs from seeing; a shift keeps the dependence on causes"""
    assert_allclose(sem.query("z", do={"x": 3.0}).mean, -2)
    assert sem.query("z", {"x": 3.0}).mean[0] > 0
    moved = sem.query(["z", "x"], do={"x": Shift(5.0)})
    plain = sem.query(["z", "x"])
    assert_allclose(moved.covariance, plain.covariance)
    assert_allclose(moved.mean - plain.mean, [0, 5], atol=1e-12)
    root = sem.query("y", {"z": 1.0}), sem.query("y", do={"z": 1.0})
    assert_allclose(root[0].mean, root[1].mean)


def test_effects_along_paths(sem):
    """causal.08"""
    assert_allclose(sem.total_effect("x", "y"), 0.5 - 1.5 * 0.7)
    assert sem.direct_effect("x", "y") == 0.5
    assert_allclose(sem.controlled_direct_effect("x", "y", ["m"]), 0.5)
    assert_allclose(sem.natural_effects("x", "y", "m"), [0.5, -1.05])
    assert sem.total_effect("y", "x") == 0
    step = sem.query("y", do={"x": 1.0}).mean - sem.query("y", do={"x": 0.0}).mean
    assert_allclose(step, sem.total_effect("x", "y"))


def test_counterfactuals_keep_the_noise(sem):
    """causal.14: complete facts leave nothing open; the answer goes through the equations"""
    facts = sem.sample(5, random_state=1)
    told = sem.counterfactual(facts, do={"x": 4.0})
    x = np.full(5, 4.0)
    m = facts["m"] - 1.5 * (x - facts["x"])
    y = facts["y"] + 0.5 * (x - facts["x"]) + 0.7 * (m - facts["m"])
    for name, values in {"z": facts["z"], "x": x, "m": m, "y": y}.items():
        assert_allclose(told[name].mean[:, 0], values, atol=1e-8)
    assert_allclose(told.covariance, 0, atol=1e-8)
    same = sem.counterfactual(facts, do={"x": Shift(0.0)})
    assert_allclose(same["y"].mean[:, 0], facts["y"], atol=1e-8)


def test_counterfactuals_with_gaps_by_sampling_the_twin_network(sem):
    """causal.14: two worlds that share the noise, joined as one linear model (the twin network)"""
    twin = dict(ARROWS)
    noise = {"x": 0.5, "y": 2.0, "m": 0.3, "z": 1.0}
    names = ("z", "x", "m", "y")
    twin.update({(f"n{n}", n): 1.0 for n in names})
    twin.update({(f"n{n}", f"{n}*"): 1.0 for n in names if n != "x"})
    twin.update({(f"{a}*", f"{b}*"): c for (a, b), c in ARROWS.items() if b != "x"})
    both = LinearSEM.from_coefficients(
        twin, {"y": 1.0, "z": -2.0, "y*": 1.0, "z*": -2.0},
        {**{f"n{n}": noise[n] for n in names}, **dict.fromkeys(names, 0.0),
         **{f"{n}*": 0.0 for n in names}},
    )  # fmt: skip
    facts = {"z": 1.0, "y": 3.0}
    told = sem.counterfactual(facts, do={"x": -1.0}, targets="y")
    other = both.query("y*", facts, do={"x*": -1.0})
    assert_allclose(told.mean, other.mean)
    assert_allclose(told.covariance, other.covariance)


def test_fit_recovers_the_equations(sem):
    draws = sem.sample(20_000, random_state=0)
    fitted = LinearSEM(list(ARROWS)).fit(draws)
    order = [fitted.names_.index(n) for n in sem.names_]
    assert_allclose(fitted.coef_[np.ix_(order, order)], sem.coef_, atol=0.05)
    assert_allclose(fitted.noise_variance_[order], sem.noise_variance_, atol=0.05)
    D = np.column_stack([np.ones(20_000), draws["z"]])
    line = np.linalg.lstsq(D, draws["x"], rcond=None)[0]
    at = fitted.names_.index("x")
    assert_allclose(fitted.coef_[at, fitted.names_.index("z")], line[1])


def test_unknown_values(sem):
    frame = pd.DataFrame(sem.sample(4000, random_state=0))
    holes = frame.mask(np.random.default_rng(0).random(frame.shape) < 0.1)
    full, gaps = (LinearSEM(list(ARROWS)).fit(f) for f in (frame, holes))
    assert_allclose(gaps.coef_, full.coef_, atol=0.15)
    row = {"z": 1.0, "x": np.nan, "y": 0.0}
    mean, cov = sem.query(["z", "y"]).mean, sem.query(["z", "y"]).covariance
    gap = np.array([1.0, 0.0]) - mean
    density = -0.5 * (gap @ np.linalg.solve(cov, gap) + np.log(np.linalg.det(2 * np.pi * cov)))
    assert_allclose(sem.log_prob(row), density)
    batch = sem.query("y", pd.DataFrame({"z": [1.0, np.nan], "x": [0.0, 2.0]}))
    assert_allclose(batch.mean[0], sem.query("y", {"z": 1.0, "x": 0.0}).mean)
    assert_allclose(batch.mean[1], sem.query("y", {"x": 2.0}).mean)


def test_linear_gaussian_equations_do_not_tell_the_direction():
    """causal.10: both directions have the same likelihood"""
    rng = np.random.default_rng(0)
    x = rng.standard_normal(500)
    frame = {"x": x, "y": 0.8 * x + rng.standard_normal(500)}
    forth, back = (LinearSEM([arrow]).fit(frame).log_prob(frame).sum() for arrow in ("xy", "yx"))
    assert_allclose(forth, back)


def test_what_is_refused(sem):
    for call, message in (
        (lambda: LinearSEM([("a", "b"), ("b", "a")]).fit({}), "cycle"),
        (lambda: LinearSEM().fit({}), "LinearSEM: graph must be"),
        (lambda: LinearSEM([("a", "b")]).query("a"), "fitted, or made by from_coefficients"),
        (lambda: LinearSEM([("a", "b")]).fit({"a": [1.0]}), "with a column 'b'"),
        (lambda: sem.query("q"), "targets must be among"),
        (lambda: sem.query("y", {"q": 1}), "evidence must be of the variables"),
        (lambda: sem.query("y", {"x": 3.0}, do={"x": 1.0}), "in agreement with do"),
        (lambda: sem.sample(2, do={"x": Conditional(abs, "y")}), "Conditional on no effects"),
        (lambda: sem.sample(2, do={"x": Conditional(abs, "q")}), "Conditional on variables among"),
        (lambda: LinearSEM(PDAG(["a", "b"], [], [("a", "b")])).fit({}), "without undirected"),
        (lambda: LinearSEM(nx.Graph([("a", "b")])).fit({}), "graph must be directed"),
        (lambda: LinearSEM(3).fit({}), "graph must be a CausalGraph"),
        (lambda: sem.query("y", do={"x": Stochastic(lambda n, g: g.random(n))}), "mean and var"),
    ):
        with pytest.raises(ValueError, match=message):
            call()
