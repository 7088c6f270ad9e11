import numpy as np
import pytest

from margin.ensemble.boosting._growth_settings import (
    interaction_sets,
    monotonic_directions,
    split_features,
)


@pytest.mark.parametrize(
    ("value", "count"),
    [(None, 0), (1.0, 0), (0.5, 5), (0.01, 1), (3, 3), (10, 0), (99, 0), ("sqrt", 3), ("log2", 3)],
)
def test_columns_of_a_split(value, count):
    assert split_features("Model", value, 10) == count


@pytest.mark.parametrize("value", [0, 0.0, 1.5, -1, "all", True])
def test_no_columns(value):
    with pytest.raises(ValueError, match="Model: max_features must be"):
        split_features("Model", value, 10)


def test_directions():
    assert monotonic_directions("Model", None, 2, None) == ()
    assert monotonic_directions("Model", [0, 0], 2, None) == ()
    assert monotonic_directions("Model", np.array([1, -1]), 2, None) == (1, -1)
    for value, names in (([1], None), ([2, 0], None), ({"a": 1}, None), ({"z": 1}, ["a", "b"])):
        with pytest.raises(ValueError, match="Model: monotonic_cst must be"):
            monotonic_directions("Model", value, 2, names)


def test_sets():
    assert interaction_sets("Model", None, 3) == ()
    assert interaction_sets("Model", "no_interactions", 2) == ((0,), (1,))
    assert interaction_sets("Model", "pairwise", 3) == ((0, 1), (0, 2), (1, 2))
    assert interaction_sets("Model", [[2, 0], [1]], 3) == ((0, 2), (1,))
    for value in ("triples", [{3}], [set()], 7, ["a"]):
        with pytest.raises(ValueError, match="Model: interaction_cst must be"):
            interaction_sets("Model", value, 3)
