"""Sequences behave as a list of arrays, whatever the lists."""

import pickle

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from margin.core import Sequences

values = st.floats(allow_nan=False, width=32)
ragged = st.lists(st.lists(values, max_size=6), max_size=8)
bounds = st.none() | st.integers(-10, 10)
slices = st.builds(slice, bounds, bounds, st.none() | st.integers(-4, 4).filter(bool))


def as_lists(sequences):
    return [s.tolist() for s in sequences]


@st.composite
def ragged_and_indices(draw):
    lists = draw(ragged.filter(bool))
    n = len(lists)
    return lists, draw(st.lists(st.integers(-n, n - 1), max_size=12))


@given(ragged)
def test_round_trip(lists):
    made = Sequences(lists)
    assert as_lists(made) == lists
    assert made.lengths.tolist() == [len(s) for s in lists]
    assert Sequences(made.buffer, made.lengths) == made
    assert pickle.loads(pickle.dumps(made)) == made


@given(ragged, slices)
def test_slices_are_those_of_a_list(lists, key):
    assert as_lists(Sequences(lists)[key]) == lists[key]


@given(ragged, slices, slices)
def test_slices_of_slices_are_those_of_a_list(lists, first, second):
    assert as_lists(Sequences(lists)[first][second]) == lists[first][second]


@given(ragged_and_indices())
def test_integers_and_index_arrays_agree(case):
    lists, chosen = case
    made = Sequences(lists)
    wanted = [lists[i] for i in chosen]
    assert [made[i].tolist() for i in chosen] == wanted
    assert as_lists(made[chosen]) == wanted
    assert as_lists(made[np.array(chosen, dtype=np.intp), ...]) == wanted


@given(ragged, st.data())
def test_a_mask_and_its_complement_split_the_data(lists, data):
    made = Sequences(lists)
    mask = data.draw(hnp.arrays(bool, len(lists)))
    inside, outside = made[mask], made[~mask]
    assert len(inside) + len(outside) == len(made)
    assert as_lists(inside) == [s for s, keep in zip(lists, mask, strict=True) if keep]
    assert len(inside.buffer) + len(outside.buffer) == len(made.buffer)


@given(st.integers(0, 5), st.lists(st.integers(0, 7), max_size=6))
def test_rows_keep_their_width(width, lengths):
    buffer = np.arange(float(sum(lengths) * width)).reshape(sum(lengths), width)
    made = Sequences(buffer, lengths)
    assert [s.shape for s in made] == [(n, width) for n in lengths]
    np.testing.assert_array_equal(made[::-1][::-1].buffer, buffer)


@given(ragged, ragged)
def test_equality_is_equality_of_the_lists(one, two):
    same = (
        [len(s) for s in one] == [len(s) for s in two]
        and all(a == b for s, t in zip(one, two, strict=True) for a, b in zip(s, t, strict=True))
    )  # fmt: skip
    assert (Sequences(one) == Sequences(two)) == same
