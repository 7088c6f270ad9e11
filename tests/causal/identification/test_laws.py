import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.causal import CausalGraph, identify
from margin.causal.identification._laws import law

HIDDEN = CausalGraph.from_edges([("z", "x"), ("x", "y")], [("z", "x"), ("z", "y")])
TABLE = (("z", "x", "y"), np.full((2, 2, 2), 1 / 8))


def test_frames_of_observations_and_of_an_experiment_share_their_levels():
    rng = np.random.default_rng(0)
    z, x = rng.integers(0, 2, (2, 500))
    experiment = {"z": z, "x": x, "y": np.where(rng.random(500) < 0.2 + 0.6 * x, "yes", "no")}
    seen = {"z": np.r_[z, 2], "x": np.r_[x, 1], "y": np.append(experiment["y"], "never")}
    answer = identify(HIDDEN, "x", "y", experiments=["z"])
    table = answer.evaluate(seen, {"z": experiment})
    assert table.levels == {"x": (0, 1), "y": ("never", "no", "yes")}
    assert_allclose(table.values.sum(axis=1), 1, atol=0.01)
    assert_allclose(table.values[:, 2], [0.2, 0.8], atol=0.1)


def test_a_table_is_summed_and_turned():
    table = np.random.default_rng(1).dirichlet(np.ones(12)).reshape(2, 3, 2)
    values, levels = law((("a", "b", "c"), table), ("c", "a"), {})
    assert_allclose(values, table.sum(axis=1).T)
    assert levels == {}


@pytest.mark.parametrize(
    ("model", "experiments", "message"),
    [
        (TABLE, {}, "the experiment on"),
        (
            TABLE,
            {"z": (("z", "x", "y"), np.full((2, 3, 2), 1 / 12))},
            "experiments must be with as many levels of 'x' in every table",
        ),
    ],
)
def test_what_is_missing_is_named(model, experiments, message):
    answer = identify(HIDDEN, "x", "y", experiments=["z"])
    with pytest.raises(ValueError, match=f"Estimand.evaluate: .*{message}"):
        answer.evaluate(model, experiments)


def test_observations_are_not_needed_where_the_formula_has_none():
    answer = identify(HIDDEN, "x", "y", experiments=["z"])
    assert answer.formula() == "P(y | do(z), x)"
    assert_allclose(answer.evaluate(None, {"z": TABLE}).values, 0.5)
    with pytest.raises(ValueError, match="model must be a network, a table or a frame, got None"):
        identify(CausalGraph.from_edges([("x", "y")]), "x", "y").evaluate(None)
