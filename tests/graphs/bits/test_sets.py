from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from margin.graphs.bits import _sets


@given(st.sets(st.integers(0, 200)))
def test_mask_and_members_are_inverse(numbers):
    assert list(_sets.members(_sets.mask(numbers))) == sorted(numbers)


@pytest.mark.parametrize("bits", [0, 0b1, 0b1011, 1 << 70 | 5])
def test_subsets_are_all_of_them_once(bits):
    members = list(_sets.members(bits))
    expected = {
        _sets.mask(part) for k in range(len(members) + 1) for part in combinations(members, k)
    }
    found = list(_sets.subsets(bits))
    assert set(found) == expected
    assert len(found) == len(expected)
    assert found == sorted(found)


def test_closure_follows_cycles_once():
    assert _sets.closure(0b1, [0b10, 0b100, 0b1, 0b1]) == 0b111
    assert _sets.closure(0, [0b1]) == 0
