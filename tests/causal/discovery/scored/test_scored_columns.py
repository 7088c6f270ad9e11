"""Columns and rows behind a score."""

import numpy as np
import pandas as pd
import pytest

from margin.causal.discovery.scored._scored_columns import column_model, network_score
from margin.search import Blocks, NetworkScore, mixed_columns


@pytest.fixture
def table():
    return np.random.default_rng(0).standard_normal((60, 3))


def test_models(table):
    assert column_model("GES", table, "auto") == "gaussian"
    assert column_model("GES", table, "categorical") == "categorical"
    assert column_model("GES", table.round(), "auto") == "categorical"
    mixed = pd.DataFrame({"dose": table[:, 0], "arm": ["a", "b"] * 30})
    assert column_model("GES", mixed, "auto") == "mixed"


def test_a_node_is_scored_on_the_rows_that_do_not_set_it(table):
    targets = [()] * 20 + [(0,)] * 15 + [(1, 2)] * 25
    score, plan = network_score("GIES", table, "auto", "bic", targets=targets)
    for node, parents in ((0, [1]), (1, []), (2, [0, 1])):
        free = plan.free_rows(node)
        design = np.column_stack([np.ones(free.sum()), table[free][:, parents]])
        residual = table[free, node] - design @ np.linalg.lstsq(design, table[free, node])[0]
        likelihood = -0.5 * free.sum() * (np.log(2 * np.pi * np.mean(residual**2)) + 1)
        expected = likelihood - 0.5 * np.log(60) * (len(parents) + 2)
        assert score.family(node, parents) == pytest.approx(expected)


@pytest.mark.parametrize("kind", ["bic", "bdeu"])
def test_categories_keep_their_states_in_every_experiment(kind, table):
    codes = (table > 0).astype(int)
    codes[:30, 0] = 1  # a state is not seen without the experiment
    targets = [()] * 30 + [(0,)] * 30
    score, _ = network_score("GIES", codes, "auto", kind, targets=targets)
    alone, _ = network_score("GIES", codes[:30], "auto", "bic")
    if kind == "bic":
        assert score.family(0, []) == pytest.approx(-0.5 * np.log(60))
        assert alone.family(0, []) == 0.0
    assert np.isfinite(score.family(0, [1, 2]))


def test_weights_are_copies(table):
    copies = np.random.default_rng(1).integers(0, 3, 60)
    targets = [(), (1,)] * 30
    heavy, _ = network_score("GIES", table, "auto", "bic", targets=targets, sample_weight=copies)
    rows = np.repeat(np.arange(60), copies)
    long, _ = network_score("GIES", table[rows], "auto", "bic", targets=[targets[r] for r in rows])
    for node in range(3):
        others = [i for i in range(3) if i != node]
        assert heavy.family(node, others) == pytest.approx(long.family(node, others))


def test_refusals(table):
    twice = np.column_stack([table, table[:, 0] - 2 * table[:, 1]])
    with pytest.raises(ValueError, match="column 3 must be no combination of the columns before"):
        network_score("GES", twice, "auto", "bic")
    with pytest.raises(ValueError, match="column 1 must be not constant, got one value"):
        network_score("GES", np.where([False, True, False], 1e9, table), "auto", "bic")
    with pytest.raises(ValueError, match="more than 4 rows for nodes of 2 parents"):
        network_score("GES", table[:4], "auto", "bic")
    network_score("GES", table[:4], "auto", "bic", max_degree=1)
    still = table.copy()
    still[:30, 2] = 1.5
    with pytest.raises(ValueError, match="column 2 must be not constant in the rows that do not"):
        network_score("GIES", still, "auto", "bic", targets=[()] * 30 + [(2,)] * 30)
    with pytest.raises(ValueError, match="'bic' or 'aic' for Gaussian columns"):
        network_score("GES", table, "auto", "bdeu")


def test_mixed_nodes_are_scored_on_the_rows_that_do_not_set_them(table):
    arm = np.array(list("abc"))[np.arange(60) % 3]
    frame = pd.DataFrame({"dose": table[:, 0], "arm": arm, "cure": table[:, 1]})
    targets = [()] * 40 + [("dose",)] * 20
    score, _ = network_score("GIES", frame, "auto", "bic", targets=targets)
    alone = NetworkScore.of("GIES", Blocks.of("GIES", mixed_columns("GIES", frame[:40])), "bic")
    price = 0.5 * (np.log(60) - np.log(40))
    assert score.family(0, [1]) == pytest.approx(alone.family(0, [1]) - 4 * price)
    assert score.names == ("dose", "arm", "cure")
    flat = frame.assign(arm=["a"] * 40 + ["b"] * 20)
    targets = [()] * 40 + [("arm",)] * 20
    with pytest.raises(ValueError, match="column 'arm' must be not constant in the rows"):
        network_score("GIES", flat, "auto", "bic", targets=targets)
    twice = frame.assign(again=arm)
    with pytest.raises(ValueError, match="column 'again: 1' must be no combination"):
        network_score("GES", twice, "auto", "bic")
