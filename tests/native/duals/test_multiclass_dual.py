"""One visit of a row against a search over its multipliers, and the border."""

import numpy as np
import pytest

from margin.native.duals.multiclass_dual import CRAMMER_SINGER, WESTON_WATKINS, multiclass_pass


def test_crammer_singer_row_is_the_best():
    """svm.18: on a grid of feasible multipliers nothing is lower."""
    b, f, bias = np.zeros((1, 3)), np.array([[0.2, 0.5, -0.4]]), np.zeros(3)
    start, gram = f.copy(), np.array([[2.0]])
    one, cap = np.zeros(1, dtype=np.int64), np.array([0.6])
    multiclass_pass(CRAMMER_SINGER, gram, one, one, cap, 0.0, b, f, bias)

    def value(v):
        return v @ (v + start[0] + [0.0, 1.0, 1.0])

    assert b.sum() == pytest.approx(0)
    assert np.allclose(f, start + 2.0 * b)
    grid = np.linspace(-0.6, 0, 121)
    pairs = [(-s - t, s, t) for s in grid for t in grid if s + t >= -0.6]
    assert value(b[0]) <= min(value(np.array(v)) for v in pairs) + 1e-12


def test_weston_watkins_two_classes_by_hand():
    """svm.17: alpha = clip(2 / 2k) = 1/4 for k = 4."""
    b, f, bias = np.zeros((1, 2)), np.zeros((1, 2)), np.zeros(2)
    one = np.zeros(1, dtype=np.int64)
    args = (np.array([[4.0]]), one, one, np.array([9.0]), 0.0, b, f, bias)
    multiclass_pass(WESTON_WATKINS, *args)
    assert b.tolist() == [[0.25, -0.25]]
    assert f.tolist() == [[1.0, -1.0]]


def test_border():
    b, f, bias = np.zeros((1, 2)), np.zeros((1, 2)), np.zeros(2)
    one, cap, gram = np.zeros(1, dtype=np.int64), np.ones(1), np.eye(1)
    with pytest.raises(ValueError, match="class out of range"):
        multiclass_pass(CRAMMER_SINGER, gram, one, one + 2, cap, 0.0, b, f, bias)
    with pytest.raises(ValueError, match="row out of range"):
        multiclass_pass(CRAMMER_SINGER, gram, one + 1, one, cap, 0.0, b, f, bias)
    with pytest.raises(ValueError, match="different shape"):
        multiclass_pass(CRAMMER_SINGER, gram, one, one, cap, 0.0, b, f, bias[:1])
