import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.causal import Conditional, Hard, Shift, Stochastic
from margin.causal.models._interventions import interventions, order_under


def test_every_kind():
    """causal.05, causal.06"""
    natural, rng = np.array([1.0, 2.0]), np.random.default_rng(0)
    values = {"z": np.array([0.0, 5.0])}
    assert Hard(3).apply(natural, values, rng).tolist() == [3, 3]
    assert Shift(1.0, 2.0).apply(natural, values, rng).tolist() == [3, 5]
    assert Conditional(lambda z: z > 1, ("z",)).apply(natural, values, rng).tolist() == [0, 1]
    drawn = Stochastic(lambda n, g: g.uniform(7, 8, n)).apply(natural, values, rng)
    assert ((drawn > 7) & (drawn < 8)).all()
    assert Shift.keeps_edges
    assert not Hard.keeps_edges


def test_numbers_are_hard_interventions():
    found = interventions("SEM", ("a", "b"), {"a": 2, "b": Shift(1)})
    assert_allclose(found["a"].value, 2)
    for bad in (
        {"q": 1}, {"a": np.nan}, {"a": "x"}, {"a": Hard(np.nan)}, {"a": Hard("x")},
        {"a": Shift(np.inf)}, {"a": Stochastic(3)}, {"a": Conditional(abs, ("q",))},
    ):  # fmt: skip
        with pytest.raises(ValueError, match="SEM: do"):
            interventions("SEM", ("a", "b"), bad)


def test_what_a_law_or_a_rule_gives_is_checked():
    natural, rng = np.zeros(3), np.random.default_rng(0)
    for act in (
        Stochastic(lambda n, g: g.random(n + 1)),
        Stochastic(lambda n, g: np.full(n, np.nan)),
        Conditional(lambda: "a", ()),
        Conditional(lambda: None, ()),
    ):
        with pytest.raises(ValueError, match="such that it gives 3 numbers"):
            act.apply(natural, {}, rng)
    with pytest.raises(ValueError, match="Conditional: rule must be a function"):
        Conditional(3, ("z",))
    assert Conditional(abs, "z").given == ("z",)


def test_an_order_that_rules_can_follow():
    """causal.05"""
    parents = {"a": (), "b": ("a",), "c": ("a",), "d": ("b",)}
    assert order_under("SEM", parents, {"b": Hard(1)}) == ("a", "b", "c", "d")
    assert order_under("SEM", parents, {"b": Conditional(abs, "c")}) == ("a", "c", "b", "d")
    # Two rules that wait for each other, one that waits for its effect, one for itself.
    for acts in (
        {"b": Conditional(abs, "c"), "c": Conditional(abs, "b")},
        {"b": Conditional(abs, "d")},
        {"b": Conditional(abs, "b")},
    ):
        with pytest.raises(ValueError, match=r"SEM: do\['b'\] must be Conditional on no effects"):
            order_under("SEM", parents, acts)
    assert order_under("SEM", parents, {"a": Conditional(abs, "d"), "b": Hard(0)}) == (
        "b", "d", "a", "c",
    )  # fmt: skip
