import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.causal import CausalGraph, identify

GRAPH = CausalGraph.from_edges([("z", "x"), ("z", "y"), ("x", "y")])
TABLE = np.random.default_rng(0).dirichlet(np.ones(8)).reshape(2, 2, 2)


def test_tables_may_come_in_any_order_and_with_others():
    names, answer = ("z", "x", "y"), identify(GRAPH, "x", "y")
    straight = answer.evaluate((names, TABLE)).values
    turned = answer.evaluate((("y", "z", "x"), TABLE.transpose(2, 0, 1))).values
    wider = answer.evaluate((("q", *names), np.stack([TABLE, TABLE]) / 2)).values
    assert_allclose(straight, turned)
    assert_allclose(straight, wider)
    assert_allclose(straight.sum(axis=1), 1)


def test_frames_are_counted():
    rows = np.array([[0, 0, 1], [0, 1, 1], [1, 0, 0], [1, 1, 1], [1, 1, 0], [0, 0, 0]])
    frame = {"z": rows[:, 0], "x": rows[:, 1].astype(str), "y": rows[:, 2] + 5}
    answer = identify(GRAPH, "x", "y").evaluate(frame)
    assert answer.levels == {"x": ("0", "1"), "y": (5, 6)}
    by_hand = sum(
        (rows[:, 0] == z).mean() * rows[(rows[:, 0] == z) & (rows[:, 1] == 1), 2].mean()
        for z in (0, 1)
    )
    assert answer.values[1, 1] == pytest.approx(by_hand)


def test_words():
    answer = identify(GRAPH, "x", "y")
    assert answer.explain() == "P(y | do(x)) = Σ_{z} P(y | x, z) P(z)"
    assert identify(GRAPH, "x", "y", given="z").effect == "P(y | do(x), z)"
    assert repr(answer) == "Estimand(P(y | do(x)): Σ_{z} P(y | x, z) P(z))"


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ((("z", "x"), TABLE.sum(axis=2)), "model must be a table over"),
        ((("z", "x", "y"), TABLE * 2), "model must be probabilities of sum 1"),
        ({"z": [0, 1], "x": [0, 1]}, "model must be with a column 'y'"),
    ],
)
def test_models_that_do_not_fit(model, message):
    with pytest.raises(ValueError, match=f"Estimand.evaluate: {message}"):
        identify(GRAPH, "x", "y").evaluate(model)
    with pytest.raises(ValueError, match="Estimand: style must be 'text' or 'latex', got 'html'"):
        identify(GRAPH, "x", "y").formula("html")
