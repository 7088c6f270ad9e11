"""Coefficients and bias between breakpoints."""

import numpy as np
from numpy.testing import assert_allclose

from margin.svm.path._lines import PathLines
from margin.svm.path._walk import ELBOW, INSIDE, OUTSIDE, Segment

NONE = np.empty(0)
SEGMENTS = [
    Segment(0.0, NONE.astype(int), NONE, NONE, (0.0, 0.0), np.array([1.0, -1.0, 3.0]), 2, 0.0),
    Segment(2.0, np.array([0]), np.array([1.0]), np.array([0.5]), (3.0, -1.0), None, 1, 1.0),
]
LINES = PathLines(
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
