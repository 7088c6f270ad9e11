"""Quadratic programs, stated (optim.19)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from margin.optim import QuadraticProgram


def test_what_is_left_out_is_no_constraint():
    program = QuadraticProgram(np.eye(2), [1.0, 2.0])
    rows, side = program.inequalities()
    assert rows.shape == (0, 2)
    assert side.shape == (0,)
    assert program.A.shape == (0, 2)
    assert program.value(np.array([1.0, 1.0])) == 4.0


@pytest.mark.parametrize("storage", [np.asarray, sparse.csr_array])
def test_bounds_become_rows_and_prices_come_back(storage):
    """optim.19: box, equality and inequality constraints in one list and back."""
    program = QuadraticProgram(
        storage(np.eye(3)),
        np.zeros(3),
        A=storage(np.ones((1, 3))),
        b=[1.0],
        G=[[1.0, 2.0, 3.0]],
        h=[4.0],
        lower=[0.0, -np.inf, -1.0],
        upper=[np.inf, 5.0, np.inf],
    )
    rows, side = program.inequalities()
    dense = rows.toarray() if sparse.issparse(rows) else rows
    assert_allclose(dense, [[1, 2, 3], [-1, 0, 0], [0, 0, -1], [0, 1, 0]])
    assert_allclose(side, [4, 0, 1, 5])
    prices = program.multipliers(np.array([7.0]), np.array([1.0, 2.0, 3.0, 4.0]))
    assert_allclose(prices.inequality, [1])
    assert_allclose(prices.lower, [2, 0, 3])
    assert_allclose(prices.upper, [0, 4, 0])
    assert_allclose(prices.equality, [7])


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"P": np.diag([1.0, -1.0])}, "P must be positive semi-definite"),
        ({"P": np.array([[1.0, 1.0], [0.0, 1.0]])}, "P must be symmetric"),
        ({"P": np.eye(3)}, "P must be a matrix with 2 columns"),
        ({"q": [1.0, np.nan]}, "q must be finite everywhere"),
        ({"A": [[1.0, 1.0]]}, "b must be given with its partner"),
        ({"h": [1.0]}, "G must be given with its partner"),
        ({"G": [[1.0, 1.0]], "h": [1.0, 2.0]}, "h must be of shape"),
        ({"G": [[1.0, np.inf]], "h": [1.0]}, "G must be finite everywhere"),
        ({"lower": 1.0, "upper": 0.0}, "lower must be at most upper everywhere"),
        ({"lower": np.inf}, "lower must be numbers or no bound at all"),
    ],
)
def test_bad_programs_are_refused(settings, what):
    with pytest.raises(ValueError, match=f"QuadraticProgram: {what}"):
        QuadraticProgram(**({"P": np.eye(2), "q": np.zeros(2)} | settings))
