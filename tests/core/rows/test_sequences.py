import pickle

import numpy as np
import pytest
import skops.io
from scipy import sparse

from margin.core import Sequences

RAGGED = [[1.0, 2.0, 3.0], [], [4.0], [5.0, 6.0]]


@pytest.fixture
def ragged():
    return Sequences(RAGGED)


def as_lists(sequences):
    return [s.tolist() for s in sequences]


def test_a_list_of_arrays_comes_back_as_it_went_in(ragged):
    assert as_lists(ragged) == RAGGED
    assert len(ragged) == 4
    assert ragged.shape == (4,)
    assert ragged.lengths.tolist() == [3, 0, 1, 2]
    assert ragged.dtype == np.float64


def test_buffer_plus_lengths_is_the_same_thing(ragged):
    assert Sequences(ragged.buffer, lengths=[3, 0, 1, 2]) == ragged
    assert Sequences(ragged.buffer, lengths=np.array([3, 0, 1, 2], dtype=np.uint8)) == ragged


def test_from_sequences_shares_the_buffer(ragged):
    same = Sequences(ragged)
    assert same == ragged
    assert same.buffer is ragged.buffer
    assert as_lists(Sequences(ragged, lengths=[2, 4])) == [[1, 2], [3, 4, 5, 6]]


def test_a_generator_of_arrays_is_accepted(ragged):
    assert Sequences(x for x in RAGGED) == ragged


def test_rows_may_have_any_shape():
    parts = [np.ones((2, 3)), np.empty((0, 3)), np.zeros((4, 3))]
    made = Sequences(parts)
    assert made.buffer.shape == (6, 3)
    for one, two in zip(made, parts, strict=True):
        np.testing.assert_array_equal(one, two)
    images = Sequences([np.ones((2, 4, 5)), np.ones((1, 4, 5))])
    assert images[0].shape == (2, 4, 5)


def test_a_rectangular_array_is_one_sequence_per_row():
    assert as_lists(Sequences(np.arange(6).reshape(3, 2))) == [[0, 1], [2, 3], [4, 5]]


@pytest.mark.parametrize("parts", [[["a", "bc"], ["d"]], [[1, 2], [3]], [[True], [False, True]]])
def test_types_other_than_floats_are_kept(parts):
    assert as_lists(Sequences(parts)) == parts


def test_types_that_differ_are_promoted():
    assert Sequences([[1], [2.5]]).dtype == np.float64


def test_no_sequences_and_empty_sequences():
    none = Sequences([])
    assert (len(none), list(none), none.shape) == (0, [], (0,))
    assert len(none[:]) == 0
    assert as_lists(Sequences([[], []])) == [[], []]
    assert len(Sequences(np.empty((0, 2)), lengths=[])) == 0


@pytest.mark.parametrize("index", [0, 1, 3, -1, -4, np.int64(2)])
def test_an_integer_gives_one_sequence(ragged, index):
    assert ragged[index].tolist() == RAGGED[index]


def test_an_item_is_a_view(ragged):
    ragged[3][0] = 50.0
    assert ragged.buffer[4] == 50.0


@pytest.mark.parametrize("index", [4, -5])
def test_an_index_out_of_range_is_an_index_error(ragged, index):
    with pytest.raises(IndexError):
        ragged[index]
    with pytest.raises(IndexError):
        ragged[[index]]


@pytest.mark.parametrize("start", [None, 0, 1, -2, 7])
@pytest.mark.parametrize("stop", [None, 0, 2, -1, 9])
@pytest.mark.parametrize("step", [None, 1, 2, -1, -3])
def test_a_slice_is_what_a_list_would_give(ragged, start, stop, step):
    key = slice(start, stop, step)
    assert as_lists(ragged[key]) == RAGGED[key]


@pytest.mark.parametrize(
    "key", [[0, 3], [3, 0, 0], [-1], [], np.array([2, 1]), (np.array([1, 3]), Ellipsis)]
)
def test_integer_arrays_choose_and_repeat(ragged, key):
    chosen = key[0] if isinstance(key, tuple) else key
    assert as_lists(ragged[key]) == [RAGGED[i] for i in chosen]


def test_a_mask_chooses_and_must_fit(ragged):
    assert as_lists(ragged[np.array([True, False, False, True])]) == [RAGGED[0], RAGGED[3]]
    assert len(ragged[np.zeros(4, dtype=bool)]) == 0
    with pytest.raises(IndexError, match=r"mask must have 4 entries, got shape \(3,\)"):
        ragged[[True, False, True]]


@pytest.mark.parametrize("key", [[0.0, 1.0], ["a"], [[0, 1], [2, 3]], "a", None])
def test_other_keys_are_index_errors(ragged, key):
    with pytest.raises(IndexError):
        ragged[key]


@pytest.mark.parametrize("keep", [slice(1, 3), [3, 2, 0]])
def test_a_selection_is_compact_and_pickles_small(keep):
    long = Sequences(np.arange(100_000.0), lengths=np.full(1000, 100))
    part = long[keep]
    assert part.offsets[0] == 0
    assert part.offsets[-1] == len(part.buffer)
    assert len(pickle.dumps(part)) < 5000


def test_round_trips(ragged):
    assert pickle.loads(pickle.dumps(ragged)) == ragged
    stored = skops.io.dumps(ragged)
    trusted = skops.io.get_untrusted_types(data=stored)
    assert trusted == ["margin.core.Sequences"]
    assert skops.io.loads(stored, trusted=trusted) == ragged


def test_equality_compares_values_and_bounds(ragged):
    assert ragged == Sequences(RAGGED)
    assert ragged != Sequences(ragged.buffer, lengths=[3, 1, 0, 2])
    assert ragged != Sequences([[1.0, 2.0, 9.0], [], [4.0], [5.0, 6.0]])
    assert ragged != RAGGED
    with pytest.raises(TypeError):
        hash(ragged)


@pytest.mark.parametrize(
    ("lengths", "message"),
    [
        ([2, 2], "Sequences: lengths must sum to 5, got 4"),
        ([6, -1], "Sequences: lengths must be at least 0, got -1"),
        ([[5]], "Sequences: lengths must be a one-dimensional array of integers, got array([[5]])"),
        ([2.0, 3.0], "Sequences: lengths must be a one-dimensional array of integers, "
                     "got array([2., 3.])"),
        (5, "Sequences: lengths must be a one-dimensional array of integers, got array(5)"),
        ([], "Sequences: lengths must sum to 5, got 0"),
    ],
)  # fmt: skip
def test_bad_lengths_are_refused(lengths, message):
    with pytest.raises(ValueError, match="lengths must") as caught:
        Sequences(np.arange(5.0), lengths=lengths)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ([[1.0], 2.0], "rows of shape (), got an array of shape () at position 1"),
        (
            [np.ones((2, 3)), np.ones((2, 2))],
            "rows of shape (3,), got an array of shape (2, 2) at position 1",
        ),
        ([np.ones((2, 3)), []], "rows of shape (3,), got an array of shape (0,) at position 1"),
        (np.arange(3.0), "rows of shape (), got an array of shape () at position 0"),
    ],
)
def test_rows_that_do_not_match_are_refused(parts, message):
    with pytest.raises(ValueError, match="every sequence") as caught:
        Sequences(parts)
    assert str(caught.value) == f"Sequences: every sequence must have {message}"


def test_repr_says_how_much_there_is(ragged):
    text = "Sequences(4 sequences, lengths 0 to 3, 6 rows of shape (), float64)"
    assert repr(ragged) == text
    assert (
        repr(Sequences([])) == "Sequences(0 sequences, lengths none, 0 rows of shape (), float64)"
    )


@pytest.mark.parametrize("form", ["csr", "bsr", "coo", "dok"])
@pytest.mark.parametrize("lengths", [None, [1, 2]])
def test_a_sparse_matrix_is_no_list_of_sequences(form, lengths):
    X = sparse.random(3, 2, density=0.5, format=form, rng=0)
    with pytest.raises(ValueError, match=r"Sequences: X must be a list .*, got '...[_a-z]*'"):
        Sequences(X, lengths)
