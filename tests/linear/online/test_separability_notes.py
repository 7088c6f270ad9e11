import numpy as np
import pytest

from margin.core import Solution, Status, stored_rows
from margin.linear.online import _separability_notes as notes
from margin.linear.online._corrections import Examples

SQUARE = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
XOR, AND = np.array([0, 1, 1, 0]), np.array([0, 0, 0, 1])


def diagnosis(code, w, *, intercept=True):
    examples = Examples(SQUARE, code, stored_rows(code, None), intercept)
    share = examples.error_share(w)
    solution = Solution(w, Status.MAX_ITER, 5, share)
    return notes.separability_notes(examples, solution, 2)


def test_says_what_is_known():
    """linear.30: proof by the weights themselves, else by a linear programme."""
    assert diagnosis(AND, np.array([[2.0, 1.0, -2.0]])) == ("the classes are linearly separable",)
    assert diagnosis(AND, np.zeros((1, 3)))[0].startswith("the classes are linearly separable with")
    assert "not linearly separable: a mixture of 4 rows" in diagnosis(XOR, np.zeros((1, 3)))[0]


def test_a_row_on_a_plane_through_the_origin_proves_nothing():
    """linear.30: without an intercept a right answer on the boundary cannot be made strict."""
    on_the_plane = np.array([[1.0, 1.0, 0.0]])
    either = np.array([0, 1, 1, 1])
    assert diagnosis(either, on_the_plane) == ("the classes are linearly separable",)
    assert "not examined" in diagnosis(either, on_the_plane, intercept=False)[0]


def test_large_tables_are_not_examined(monkeypatch):
    monkeypatch.setattr(notes, "_LARGEST_DIAGNOSIS", 5)
    assert "not examined" in diagnosis(XOR, np.zeros((1, 3)))[0]


@pytest.mark.parametrize(
    ("text", "advice"),
    [
        ("the classes are not linearly separable: …", "no number of epochs will end it"),
        ("the classes are linearly separable with margin 1", "raise max_iter"),
    ],
)
def test_advice(text, advice):
    assert notes.cut_short(0.25, 9, (text,)).endswith(f"{text}: {advice}")
