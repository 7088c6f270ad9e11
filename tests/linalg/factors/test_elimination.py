"""Gaussian elimination (linalg.08)."""

from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.core import FitError
from margin.linalg import gaussian_elimination

RNG = np.random.default_rng(0)


def exact_solution(A, b):
    """Elimination by hand, in exact fractions."""
    rows = [[Fraction(v) for v in (*row, right)] for row, right in zip(A, b, strict=True)]
    n = len(rows)
    for k in range(n):
        pivot = next(i for i in range(k, n) if rows[i][k])
        rows[k], rows[pivot] = rows[pivot], rows[k]
        for i in range(n):
            if i != k:
                factor = rows[i][k] / rows[k][k]
                rows[i] = [a - factor * c for a, c in zip(rows[i], rows[k], strict=True)]
    return [float(row[-1] / row[k]) for k, row in enumerate(rows)]


def leibniz(A):
    """Determinant by its definition."""
    n = len(A)
    total = 0.0
    for order in permutations(range(n)):
        swaps = sum(order[i] > order[j] for i in range(n) for j in range(i + 1, n))
        total += (-1) ** swaps * np.prod([A[i, order[i]] for i in range(n)])
    return total


@pytest.mark.parametrize("n", [1, 2, 5])
def test_solves_as_exact_fractions_do(n):
    """linalg.08: integer systems, also with zeros where the first pivots are looked for."""
    A = RNG.integers(-4, 5, size=(n, n)).astype(float)
    A[0, 0] = 0.0 if n > 1 else 3.0
    b = RNG.integers(-9, 10, size=n).astype(float)
    assert_allclose(gaussian_elimination(A).solve(b), exact_solution(A, b), rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("n", [1, 3, 6])
def test_factors_and_determinant(n):
    """linalg.08: the reordered rows are the product; the determinant is that of its definition."""
    A = RNG.normal(size=(n, n))
    factor = gaussian_elimination(A)
    assert_allclose(factor.lower @ factor.upper, A[factor.order], atol=1e-14)
    assert (np.abs(factor.lower) <= 1.0).all()
    assert_allclose(factor.sign * np.exp(factor.log_abs_det), leibniz(A), rtol=1e-10)


def test_many_right_hand_sides_and_the_transpose():
    A, B = RNG.normal(size=(6, 6)), RNG.normal(size=(6, 3))
    factor = gaussian_elimination(A)
    assert_allclose(A @ factor.solve(B), B, atol=1e-12)
    assert_allclose(A.T @ factor.solve(B[:, 0], transpose=True), B[:, 0], atol=1e-12)


def test_refinement_reaches_the_rounding_of_the_data():
    """Rows of sizes from 1e-8 to 1e8: the residual of every row is that of rounding."""
    scale = 10.0 ** np.linspace(-8, 8, 30)
    A = RNG.normal(size=(30, 30)) * scale[:, None]
    b = A @ np.ones(30)
    x = gaussian_elimination(A).solve(b)
    size = np.abs(A) @ np.abs(x)
    assert (np.abs(A @ x - b) / size).max() < 1e-14


def test_condition_is_of_the_right_size():
    hilbert = 1.0 / (np.arange(6)[:, None] + np.arange(6) + 1.0)
    told = gaussian_elimination(hilbert).reciprocal_condition
    true = 1.0 / np.linalg.cond(hilbert, 1)
    assert 0.3 * true <= told <= 3 * true


def test_nothing_and_singular_and_bad_matrices():
    empty = gaussian_elimination(np.empty((0, 0)))
    assert empty.solve(np.empty(0)).shape == (0,)
    assert (empty.sign, empty.log_abs_det, empty.reciprocal_condition) == (1.0, 0.0, 1.0)
    with pytest.raises(FitError, match="the design is singular: no pivot is left in column 1"):
        gaussian_elimination([[1.0, 2.0], [2.0, 4.0]], name="design")
    with pytest.raises(ValueError, match="gaussian_elimination: A must be a square matrix, got"):
        gaussian_elimination(np.ones((2, 3)))
    with pytest.raises(ValueError, match="gaussian_elimination: A must be finite everywhere"):
        gaussian_elimination([[np.nan]])
