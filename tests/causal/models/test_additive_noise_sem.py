import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose
from sklearn.linear_model import LinearRegression

from margin.causal import AdditiveNoiseSEM, Conditional, Hard, LinearSEM, Shift, Stochastic

ARROWS = [("z", "x"), ("z", "y"), ("x", "y")]


def world(n, rng):
    z = rng.standard_normal(n)
    x = np.sin(z) + rng.normal(0, 0.3, n)
    return {"z": z, "x": x, "y": x**2 + z + rng.normal(0, 0.2, n)}


@pytest.fixture(scope="module")
def sem():
    return AdditiveNoiseSEM(ARROWS, random_state=0).fit(world(3000, np.random.default_rng(0)))


def test_sampling_under_interventions(sem):
    """causal.05, causal.10: E[y | do(x)] = x^2, and the joint law is that of the world"""
    for value in (-1.0, 0.5):
        drawn = sem.sample(20_000, do={"x": value}, random_state=0)
        assert_allclose(drawn["y"].mean(), value**2, atol=0.12)
        assert abs(np.corrcoef(drawn["z"], drawn["y"])[0, 1]) > 0.9
    draws, truth = sem.sample(20_000, random_state=1), world(20_000, np.random.default_rng(2))
    for name in "zxy":
        assert_allclose(np.quantile(draws[name], [0.1, 0.5, 0.9]),
                        np.quantile(truth[name], [0.1, 0.5, 0.9]), atol=0.15)  # fmt: skip


def test_evidence_against_rejection(sem):
    seen = sem.query("z", {"x": 0.8}, random_state=0)
    drawn = sem.sample(200_000, random_state=1)
    near = np.abs(drawn["x"] - 0.8) < 0.03
    assert seen.effective_draws > 500
    assert_allclose(seen.mean, drawn["z"][near].mean(), atol=0.1)
    assert_allclose(seen.var, drawn["z"][near].var(), atol=0.1)
    assert_allclose(sem.query("z", do={"x": 0.8}).mean, 0, atol=0.06)


def test_counterfactuals(sem):
    """causal.14: the noise of a person stays"""
    facts = world(50, np.random.default_rng(5))
    told = sem.counterfactual(facts, do={"x": 0.0})
    assert_allclose(told["y"], facts["y"] - facts["x"] ** 2, atol=0.15)
    same = sem.counterfactual(facts, do={})
    for name in "zxy":
        assert_allclose(same[name], facts[name])
    assert_allclose(sem.counterfactual(facts, do={"z": Shift(0.0)})["y"], facts["y"])


def test_lines_agree_with_the_linear_model():
    linear = LinearSEM.from_coefficients({("z", "x"): 1.0, ("z", "y"): 2.0, ("x", "y"): 0.5})
    frame = linear.sample(2000, random_state=0)
    fitted = LinearSEM(ARROWS).fit(frame)
    general = AdditiveNoiseSEM(ARROWS, LinearRegression()).fit(frame)
    facts = {"z": 1.0, "x": 0.0, "y": 3.0}
    assert_allclose(
        general.counterfactual(facts, do={"x": 2.0})["y"],
        fitted.counterfactual(facts, do={"x": 2.0})["y"].mean[0],
    )


def test_residuals_tell_the_direction_where_functions_bend():
    """causal.10: in the right direction the noise is independent of the cause"""
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, 1500)
    frame = {"x": x, "y": x + 0.8 * x**3 + 0.3 * rng.uniform(-1, 1, 1500)}

    def dependence(arrow):
        sem = AdditiveNoiseSEM([arrow]).fit(frame)
        return abs(np.corrcoef(frame[arrow[0]] ** 2, sem.residuals_[arrow[1]] ** 2)[0, 1])

    assert dependence(("x", "y")) < 0.1 < dependence(("y", "x"))


def test_what_is_refused(sem):
    with pytest.raises(ValueError, match="factual must be complete"):
        sem.counterfactual({"x": 1.0}, do={"x": 2.0})
    with pytest.raises(ValueError, match="targets must be among"):
        sem.query("q")
    with pytest.raises(ValueError, match="AdditiveNoiseSEM: model must be fitted"):
        AdditiveNoiseSEM(ARROWS).sample(3)
    with pytest.raises(ValueError, match="known together with its causes"):
        AdditiveNoiseSEM([("a", "b")]).fit({"a": [1.0, np.nan], "b": [np.nan, 1.0]})


def test_evidence_that_the_model_does_not_know_leaves_few_draws(sem):
    told = sem.query("x", {"y": 1e6}, random_state=0)
    assert told.effective_draws < 1.5
    assert sem.query("x", {"y": 1.0}, random_state=0).effective_draws > 100


def test_a_frame_asks_once_per_row(sem):
    frame = pd.DataFrame({"x": [0.8, np.nan, -0.5], "y": [np.nan, 1.0, 0.0]})
    told = sem.query(["z", "y"], frame, random_state=0)
    assert told.draws.shape == (3, 10_000, 2)
    assert told.effective_draws.shape == (3,)
    for i, row in enumerate(({"x": 0.8}, {"y": 1.0}, {"x": -0.5, "y": 0.0})):
        one = sem.query(["z", "y"], row, random_state=1)
        assert_allclose(told.mean[i], one.mean, atol=0.1)
        assert_allclose(told.var[i], one.var, atol=0.1)
        assert one.draws.shape == (10_000, 2)


def test_evidence_after_interventions(sem):
    """causal.05, causal.06: a law that listens to nothing weighs nothing, a shift moves back"""
    coin = sem.query("y", {"x": 0.5}, do={"x": Stochastic(lambda n, g: g.normal(0, 1, n))})
    hard = sem.query("y", do={"x": 0.5})
    assert_allclose(coin.mean, hard.mean, atol=0.1)
    moved = sem.query("z", {"x": 2.8}, do={"x": Shift(2.0)}, random_state=0)
    assert_allclose(moved.mean, sem.query("z", {"x": 0.8}, random_state=0).mean)
    for evidence, do, message in (
        ({"x": 3.0}, {"x": Hard(1.0)}, r"in agreement with do\['x'\] = 1.0, got 3.0"),
        ({"x": 3.0}, {"x": Conditional(abs, "z")}, "not about 'x', which follows a rule"),
        ({"x": 3.0}, {"x": Shift(1.0, 0.0)}, "not about 'x', which was scaled by 0"),
    ):
        with pytest.raises(ValueError, match=f"AdditiveNoiseSEM: evidence must be {message}"):
            sem.query("y", evidence, do=do)
    assert_allclose(sem.query("x", {"x": 1.0}, do={"x": 1.0}).mean, 1)


def test_plans_may_listen_to_anything_that_is_no_effect(sem):
    drawn = sem.sample(50, do={"z": Conditional(lambda x: 2 * x, "x"), "x": 0.5}, random_state=0)
    assert_allclose(drawn["z"], 1.0)
    assert list(drawn) == list(sem.names_)
    with pytest.raises(ValueError, match="must be Conditional on no effects of 'z', got 'x'"):
        sem.sample(5, do={"z": Conditional(abs, "x")})
