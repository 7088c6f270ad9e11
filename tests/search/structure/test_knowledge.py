"""graphical.36: background knowledge."""

import numpy as np
import pytest

from margin.search import Knowledge

NAMES = ("a", "b", "c")


def test_tiers_forbid_arcs_to_the_past():
    """graphical.36."""
    known = Knowledge.of("Test", NAMES, tiers=[["a", "b"], ["c"]])
    np.testing.assert_array_equal(np.argwhere(known.forbidden), [[2, 0], [2, 1]])
    assert known.possible.sum() == 6


def test_required_rules_out_the_opposite():
    known = Knowledge.of("Test", NAMES, required=[("a", "b")], forbidden=[("c", "b"), ("b", "c")])
    assert known.forbidden[1, 0]
    np.testing.assert_array_equal(np.argwhere(np.triu(known.kept)), [[0, 1]])
    assert not known.possible[1, 2]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"required": [("a", "z")]}, "required must be pairs"),
        ({"required": ["ab"]}, "required must be pairs"),
        ({"forbidden": [("a", "a")]}, "forbidden must be pairs"),
        ({"required": [("a", "b")], "forbidden": [("a", "b")]}, "different from what is forbidden"),
        ({"required": [("c", "a")], "tiers": [["a"], ["c"]]}, "different from what is forbidden"),
        ({"required": [("a", "b"), ("b", "c"), ("c", "a")]}, "without a directed cycle"),
        ({"tiers": [["a"], ["a"]]}, "tiers must be groups"),
        ({"tiers": [["q"]]}, "tiers must be groups"),
    ],
)
def test_bad_input(options, message):
    with pytest.raises(ValueError, match=f"Test: {message}" if " must" in message else message):
        Knowledge.of("Test", NAMES, **options)
