"""The mass of states."""

import numpy as np
import pytest

from margin.core import FitError
from margin.sequence.hidden_markov._mass import (
    hard_counts,
    lost_told,
    refuse_impossible,
    shares_of,
    with_mass,
    without_mass,
)


def test_hard_counts_of_several_sequences():
    share, pairs = hard_counts(
        np.array([0, 1, 1, 0]), np.array([0, 2, 2, 4]), 2, np.array([1.0, 9.0, 2.0])
    )
    np.testing.assert_array_equal(share, [[1, 0], [0, 1], [0, 2], [2, 0]])
    np.testing.assert_array_equal(pairs, [[0, 1], [2, 0]])


def test_shares_keep_zeros_and_empty_rows():
    before = np.array([[0.5, 0.5, 0.0], [0.2, 0.8, 0.0]])
    shares = shares_of(np.array([[3.0, 1.0, 9.0], [0.0, 0.0, 0.0]]), before, 1.0)
    np.testing.assert_allclose(shares, [[0.75, 0.25, 0.0], [0.2, 0.8, 0.0]])


def test_mass_goes_where_it_may():
    """sequence.16: a state that is seeded again stays out of where the structure has a zero."""
    table, free = np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([[True, True], [True, False]])
    np.testing.assert_allclose(with_mass(table, free, (1,)), [[1 / 1.01, 0.01 / 1.01], [1.0, 0.0]])
    assert without_mass(np.array([1.0, 1e-9, 1.0])).tolist() == [1]


def test_what_is_told_of_lost_states():
    assert "state 1 had lost" in lost_told((1,), (), ())[0]
    assert "state 2 lost all its mass again" in lost_told((), (2,), ("start",))[0]
    assert lost_told((1,), (), ("emission",)) == (
        "state 1 has lost all its mass; its law is fixed",
    )
    assert lost_told((1,), (2,), ("start", "transition", "emission")) == ()


def test_impossible_sequences_are_counted_from_the_first():
    with pytest.raises(FitError, match="sequence 8 has probability 0"):
        refuse_impossible(np.array([-1.0, -np.inf]), 7)
