import pickle

import numpy as np
import pytest

from margin.core import Card


def test_grid_spreads_intervals_and_keeps_choices():
    card = Card(
        tasks=("regression",),
        search_space={
            "alpha": (1e-4, 1e4, "log"),
            "ratio": (0.0, 1.0, "linear"),
            "solver": ["a", "b"],
        },
    )
    grid = card.grid(5)
    np.testing.assert_allclose(grid["alpha"], [1e-4, 1e-2, 1, 1e2, 1e4], rtol=1e-12)
    assert grid["ratio"] == [0.0, 0.25, 0.5, 0.75, 1.0]
    assert grid["solver"] == ["a", "b"]
    assert all(type(v) is float for v in grid["alpha"] + grid["ratio"])


def test_grid_never_leaves_the_interval():
    card = Card(tasks=("regression",), search_space={"alpha": (1e-3, 1e3, "log")})
    for points in range(1, 30):
        values = card.grid(points)["alpha"]
        assert len(values) == points
        assert min(values) >= 1e-3
        assert max(values) <= 1e3


def test_grid_hands_out_its_own_lists():
    card = Card(tasks=("regression",), search_space={"solver": ["a"]})
    card.grid(1)["solver"].append("b")
    assert card.search_space["solver"] == ["a"]


def test_defaults_describe_a_cheap_table_model_without_tuning():
    card = Card(tasks=("classification",))
    assert (card.cost, card.input, card.max_rows) == ("linear", "table", None)
    assert card.grid(3) == {}


def test_a_card_is_a_value():
    card = Card(tasks=("regression",), search_space={"alpha": (1.0, 2.0, "log")})
    assert pickle.loads(pickle.dumps(card)) == card
    with pytest.raises(AttributeError):
        card.cost = "cubic"
