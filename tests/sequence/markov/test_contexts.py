import numpy as np
import pytest

from margin.core import Sequences
from margin.sequence.markov._contexts import coded, context_counts


def test_counts_by_a_plain_loop():
    rng = np.random.default_rng(0)
    walks = [rng.integers(0, 3, n) for n in (1, 2, 9, 30)]
    data = coded("chain", walks, None, None)
    for order in (0, 1, 2, 3):
        truth = np.zeros((3**order, 3))
        for walk in walks:
            for t in range(order, len(walk)):
                context = 0
                for back in range(order, 0, -1):
                    context = context * 3 + walk[t - back]
                truth[context, walk[t]] += 1
        np.testing.assert_array_equal(context_counts(data, order, None, first=False), truth)
    first = context_counts(data, 0, np.array([1.0, 2.0, 3.0, 4.0]), first=True)
    assert first.sum() == 10.0


def test_gaps_break_contexts():
    data = coded("chain", [[0, np.nan, 1, 1]], None, None)
    assert context_counts(data, 1, None, first=False).tolist() == [[0, 0], [0, 1]]


def test_forms_of_input():
    one = coded("chain", [0, 1, 2], None, None)
    assert one.given == "one"
    same = [
        coded("chain", [[0, 1], [2]], None, None),
        coded("chain", Sequences([np.array([0, 1]), np.array([2])]), None, None),
        coded("chain", np.array([0, 1, 2]), [2, 1], None),
        coded("chain", [np.array([[0], [1]]), np.array([[2]])], None, None),
    ]
    for data in same:
        assert data.offsets.tolist() == [0, 2, 3]
        assert data.codes.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    ("X", "lengths", "n_states", "message"),
    [
        ([[0, -1]], None, None, "states 0, 1"),
        (None, None, None, "a list of arrays"),
        ([[0.5]], None, None, "states 0, 1"),
        ([[0, 3]], None, 2, "states 0 to 1"),
        ([["a"]], None, None, "states 0, 1"),
        ([[]], None, None, "at least one state"),
        ([0, 1, 2], [2, 2], None, "sum to 3"),
        ([[np.inf]], None, None, "states 0, 1"),
        ([[0, 1], [[0, 1, 2]]], None, None, "every sequence must have rows"),
    ],
)
def test_refusals(X, lengths, n_states, message):
    with pytest.raises(ValueError, match=f"chain: .*{message}"):
        coded("chain", X, lengths, n_states)
