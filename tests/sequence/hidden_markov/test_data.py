import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from margin.core import Sequences
from margin.sequence.hidden_markov._data import allowed_states, observed, refuse_unseen


def test_forms_of_input():
    parts = [np.arange(6.0).reshape(3, 2), np.ones((1, 2))]
    whole = np.concatenate(parts)
    for data in (
        observed("HMM", parts),
        observed("HMM", Sequences(parts)),
        observed("HMM", whole, [3, 1]),
        observed("HMM", pd.DataFrame(whole), [3, 1]),
        observed("HMM", np.array([*parts, None], dtype=object)[:2]),
    ):
        np.testing.assert_array_equal(data.rows, whole)
        assert data.offsets.tolist() == [0, 3, 4]
    assert observed("HMM", whole).n == 1
    assert observed("HMM", np.zeros((4, 3, 2))).n == 4
    assert observed("HMM", [1, 2, 3]).rows.shape == (3, 1)


def test_answers_leave_as_sequences_came():
    values = np.arange(4)
    assert isinstance(observed("HMM", [[1, 2, 3], [4]]).returned(values), Sequences)
    assert observed("HMM", [1, 2, 3, 4]).returned(values) is values


@pytest.mark.parametrize(
    ("X", "lengths", "message"),
    [
        ([], None, "at least one sequence"),
        (None, None, "a list of arrays"),
        (csr_array(np.eye(2)), None, "a list of arrays"),
        ([[]], None, "at least one step"),
        (np.zeros((3, 2)), [2, 2], "lengths must sum to 3"),
        (np.zeros((3, 2)), [3.0], "integers"),
        ([np.zeros((2, 2)), np.zeros((2, 3))], None, "rows of 2 columns, got 3 in sequence 1"),
        ([["a"]], None, "sequences of numbers"),
        ([[np.inf]], None, "finite, or NaN"),
        (np.zeros((3, 0)), None, "at least one number"),
    ],
)
def test_refusals(X, lengths, message):
    with pytest.raises(ValueError, match=f"HMM: .*{message}"):
        observed("HMM", X, lengths)


def test_the_width_of_the_fit_is_kept():
    with pytest.raises(ValueError, match="2 columns as in fit, got 1"):
        observed("HMM", [1.0, 2.0], n_features=2)


def test_partial_labels():
    data = observed("HMM", [[1.0, 2.0], [3.0]])
    assert allowed_states("HMM", None, data, 2) is None
    allowed = allowed_states("HMM", [[1, -1], [np.nan]], data, 2)
    np.testing.assert_array_equal(allowed, [[False, True], [True, True], [True, True]])
    for bad in ([[1, 2], [0]], [[0], [0, 0]], [0, 1], [[0.5, 0], [0]]):
        with pytest.raises(ValueError, match="HMM: y must be"):
            allowed_states("HMM", bad, data, 2)


def test_complex_numbers_and_names_are_refused():
    """Nothing loses its imaginary part, and names are no states."""
    for X in ([1 + 2j, 3.0], [[1.0 + 0j, 2.0]], np.ones((3, 2), dtype=complex)):
        with pytest.raises(ValueError, match="HMM: X must be sequences of real numbers"):
            observed("HMM", X)
    data = observed("HMM", [[1.0, 2.0]])
    for y in (["a", "b"], [["a", "b"]], "ab"):
        with pytest.raises(ValueError, match="HMM: y must be states 0, 1"):
            allowed_states("HMM", y, data, 2)
    with pytest.raises(ValueError, match="HMM: y must be a state for every step"):
        allowed_states("HMM", 3, data, 2)


def test_some_sequences_and_the_last():
    data = observed("HMM", [[1.0, 2.0], [3.0], [4.0, 5.0], []])
    kept, rows = data.kept(np.array([True, False, True, False]))
    assert kept.rows.ravel().tolist() == [1.0, 2.0, 4.0, 5.0]
    assert kept.offsets.tolist() == [0, 2, 4]
    assert rows.tolist() == [True, True, False, True, True]
    assert data.last().rows.ravel().tolist() == [4.0, 5.0]


def test_columns_that_are_seen_nowhere():
    refuse_unseen("HMM", observed("HMM", [[[1.0, np.nan]], [[np.nan, 1.0]]]))
    with pytest.raises(ValueError, match="HMM: X must be observed somewhere, got"):
        refuse_unseen("HMM", observed("HMM", [np.nan, np.nan]))
    with pytest.raises(ValueError, match="in every column, got 'NaN everywhere in column 1'"):
        refuse_unseen("HMM", observed("HMM", [[[1.0, np.nan]], [[2.0, np.nan]]]))
