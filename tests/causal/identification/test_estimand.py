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
        ((("z", "x", "y"), TABLE * np.nan), "model must be probabilities of sum 1"),
        ({"z": [0, 1], "x": [0, 1]}, "frame must be with a column 'y'"),
        ({"z": [0, 1], "x": [0, 1], "y": [0]}, "model must be with columns of one length above 0"),
        ({"z": [], "x": [], "y": []}, "model must be with columns of one length above 0"),
        ({"z": [0, np.nan], "x": [0, 1], "y": [0, 1]}, "column 'z' must be known everywhere"),
        ({"z": ["a", None], "x": [0, 1], "y": [0, 1]}, "column 'z' must be known everywhere"),
    ],
)
def test_models_that_do_not_fit(model, message):
    with pytest.raises(ValueError, match=f"Estimand.evaluate: {message}"):
        identify(GRAPH, "x", "y").evaluate(model)
    with pytest.raises(ValueError, match="Estimand: style must be 'text' or 'latex', got 'html'"):
        identify(GRAPH, "x", "y").formula("html")


def test_an_empty_stratum_is_named_and_not_renormalised():
    frame = {"z": list("aabbb"), "x": [0, 1, 0, 0, 0], "y": [0, 1, 0, 1, 1]}
    message = r"model must have cases of x = 1, z = 'b': P\(y \| x, z\) is not defined"
    with pytest.raises(ValueError, match=message):
        identify(GRAPH, "x", "y").evaluate(frame)
    front = CausalGraph.from_edges([("x", "m"), ("m", "y")], [("x", "y")])
    follows = {"x": [0, 0, 1, 1], "m": [0, 0, 1, 1], "y": [0, 1, 1, 1]}
    with pytest.raises(ValueError, match=r"P\(y \| x, m\) is not defined there"):
        identify(front, "x", "y").evaluate(follows)


def test_what_never_occurs_and_does_not_matter_is_passed_over():
    table = np.zeros((3, 2, 2))
    table[:2] = TABLE
    padded = identify(GRAPH, "x", "y").evaluate((("z", "x", "y"), table)).values
    assert_allclose(padded, identify(GRAPH, "x", "y").evaluate((("z", "x", "y"), TABLE)).values)


def test_a_column_that_polars_does_not_have():
    pl = pytest.importorskip("polars")
    with pytest.raises(ValueError, match="frame must be with a column 'y'"):
        identify(GRAPH, "x", "y").evaluate(pl.DataFrame({"z": [0, 1], "x": [0, 1]}))
