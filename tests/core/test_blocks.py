"""Tables that come in blocks of rows."""

import numpy as np
import pytest

from margin.core import Blocks


def test_every_pass_begins_at_the_first_block():
    tables = [np.zeros((2, 1)), (np.ones((1, 1)), np.ones(1))]
    for source in (tables, lambda: iter(tables)):
        blocks = Blocks.of("Model", source)
        for _ in range(2):
            assert [len(block) for block in blocks] == [1, 2]
        assert Blocks.of("Model", blocks) is blocks


@pytest.mark.parametrize("once", [iter([1]), (x for x in [1]), 5, None])
def test_what_can_be_read_only_once_is_refused(once):
    with pytest.raises(ValueError, match="Model: blocks must be a list, another iterable that"):
        Blocks.of("Model", once)
