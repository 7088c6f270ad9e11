import numpy as np
import pandas as pd
import pytest

from benchmarks.cases.compare import ALWAYS, FOREST, fit_peer
from benchmarks.tables import KINDS, TARGET, big, fraud, houses, quality, wide
from margin.evaluation import infer_task


def test_tables_repeat_and_have_a_target():
    for name in ("species", "levels", "counts", "interactions", "mixed-numbers", "mixed-classes"):
        one, other = KINDS[name].make(), KINDS[name].make()
        pd.testing.assert_frame_equal(one, other)
        assert TARGET in one
        rows, columns = (int(n.replace(" ", "")) for n in KINDS[name].size.split("×"))
        assert one.shape == (rows, columns + 1)


def test_kinds_are_what_they_are_called():
    assert fraud(4000)[TARGET].mean() == pytest.approx(1 / 200)
    assert wide().shape == (60, 3001)
    assert quality(500)[TARGET].nunique() == 6
    assert houses(300).shape == (300, 9)
    assert set(big(300)[TARGET]) == {"yes", "no"}
    assert KINDS["species"].make().isna().any().any()
    assert set(ALWAYS) <= set(KINDS)


def test_a_peer_is_scored_on_the_rows_that_are_held_out():
    table = KINDS["wine"].make()
    assert infer_task(table[TARGET]).task == "classification"
    assert 0.85 < fit_peer(table, FOREST)["test_score"] <= 1.0
    shuffled = table.assign(**{TARGET: np.random.default_rng(0).permutation(table[TARGET])})
    assert fit_peer(shuffled, FOREST)["test_score"] < 0.7
