"""Names and states of the variables of a network over time."""

import pytest

from margin.sequence.dynamic_network._frames import frames
from margin.sequence.dynamic_network._variables import variables


def test_columns_then_hidden_ones_with_their_states():
    given = frames("Model", [{"a": ["x", "y", None], "b": [2.0, 1.0, 2.0]}], None)
    names, states = variables("Model", given, {"h": 3}, {"b": [1.0, 2.0, 7.0]})
    assert names == ("a", "b", "h")
    assert states == {"a": ["x", "y"], "b": [1.0, 2.0, 7.0], "h": [0, 1, 2]}


def test_a_column_without_a_value_has_one_state():
    given = frames("Model", [{"a": [float("nan")] * 2}], None)
    assert variables("Model", given, None, None) == (("a",), {"a": [0]})


@pytest.mark.parametrize("size", [0, True, 1.5])
def test_numbers_of_states_are_checked(size):
    given = frames("Model", [{"a": [0]}], None)
    with pytest.raises(ValueError, match=r"Model: hidden\['h'\] must be an integer of at least 1"):
        variables("Model", given, {"h": size}, None)


def test_a_hidden_variable_is_no_column():
    given = frames("Model", [{"a": [0]}], None)
    with pytest.raises(ValueError, match="hidden must be names that are no columns of X, got 'a'"):
        variables("Model", given, {"a": 2}, None)
