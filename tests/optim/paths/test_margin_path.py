"""Coefficients and bias between breakpoints."""

import numpy as np
from numpy.testing import assert_allclose

from margin.optim import GramMatrix, MarginPath, margin_path, soft_margin, solve_qp
from margin.optim.paths._margin_walk import ELBOW, INSIDE, OUTSIDE, Segment

NONE = np.empty(0)
SEGMENTS = (
    Segment(0.0, NONE.astype(int), NONE, NONE, (0.0, 0.0), np.array([1.0, -1.0, 3.0]), 2, 0.0),
    Segment(2.0, np.array([0]), np.array([1.0]), np.array([0.5]), (3.0, -1.0), None, 1, 1.0),
)
LINES = MarginPath(
    starts=np.array([0.0, 2.0]),
    segments=SEGMENTS,
    first=np.array([INSIDE, INSIDE, OUTSIDE]),
    when=np.array([1, 1]),
    rows=np.array([0, 0]),
    kinds=np.array([OUTSIDE, ELBOW]),
    share=np.array([1.0, -2.0, 1.0]),
    kept=np.array([0, 1, 3]),
    n=4,
)


def test_coefficients_by_kind():
    assert_allclose(LINES.coef(1.0), [1.0, -2.0, 0.0, 0.0])
    assert_allclose(LINES.coef(4.0), [3.0, -8.0, 0.0, 0.0])


def test_bias_on_a_line_or_in_the_middle():
    assert LINES.bias(4.0) == -1.0
    # Upper bound 1 - C of the first row; lower bounds -1 + C and 1 - 3 C of the others.
    assert_allclose(LINES.bias(0.5), 0.5 * (0.5 + -0.5))
    assert_allclose(LINES.bias(0.1), 0.5 * (0.9 + 0.7))


def test_path_is_that_of_the_machine_of_each_price():
    """svm.03: coefficients of the whole path against the quadratic program of one price."""
    rng = np.random.default_rng(4)
    sign = np.where(np.arange(16) % 2, 1.0, -1.0)
    X = rng.normal(size=(16, 2)) + 0.7 * sign[:, None]
    path = margin_path(X @ X.T, sign, np.ones(16), C_max=5.0)
    for C in (0.05, 0.7, 4.0):
        program = solve_qp(soft_margin(GramMatrix(X @ X.T), sign, np.full(16, C)).program())
        assert_allclose(X.T @ path.coef(C), X.T @ program.x, atol=1e-5)
    assert path.top == np.inf  # nothing more happens
    assert margin_path(X @ X.T, sign, np.ones(16), C_max=0.03).top == 0.03
    assert path.restarts == 0


def test_rows_left_out_have_no_coefficient():
    x = np.array([-1.0, 1.0])
    path = margin_path(np.outer(x, x), x, np.ones(2), kept=np.array([0, 2]), n=3)
    assert_allclose(path.coef(10.0), [-0.5, 0.0, 0.5])
