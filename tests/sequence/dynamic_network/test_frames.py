import numpy as np
import pandas as pd
import pytest

from margin.core import Sequences
from margin.sequence.dynamic_network._frames import coded, frames, labels, missing


def test_every_way_to_give_sequences():
    table = np.array([[0, 1], [1, 1], [0, 0]])
    for X, lengths in (
        ([table[:2], table[2:]], None),
        (Sequences([table[:2], table[2:]]), None),
        (table, [2, 1]),
        ([pd.DataFrame(table[:2]), pd.DataFrame(table[2:])], None),
        ([{0: table[:2, 0], 1: table[:2, 1]}, {0: table[2:, 0], 1: table[2:, 1]}], None),
    ):
        given = frames("Network", X, lengths)
        assert not given.one
        np.testing.assert_array_equal(given.offsets, [0, 2, 3])
        codes = coded("Network", given, (0, 1), {0: [0, 1], 1: [0, 1]})
        np.testing.assert_array_equal(codes, table)
    assert frames("Network", table).one
    assert frames("Network", [0, 1, 1]).one


def test_what_is_missing():
    column = np.array(["a", None, np.nan, pd.NA], dtype=object)
    np.testing.assert_array_equal(missing(column), [False, True, True, True])
    assert labels("Network", 0, column) == ["a"]
    assert labels("Network", 0, np.array([True, 1.0, 2.0, "b"], dtype=object)) == [1, 2, "b"]


def test_lengths_that_do_not_add_up():
    with pytest.raises(ValueError, match=r"Network: lengths must sum to 3, got 2"):
        frames("Network", np.zeros((3, 1)), [2])
    with pytest.raises(ValueError, match=r"got .infinity in 0"):
        labels("Network", 0, np.array([np.inf]))
