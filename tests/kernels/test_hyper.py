"""Values of hyper-parameters."""

import numpy as np
import pytest

from margin.kernels._hyper import moved, positive, written


def test_numbers_and_sequences():
    assert positive("Owner", "a", np.float32(2)) == 2.0
    assert positive("Owner", "a", np.array([1, 2])) == (1.0, 2.0)


@pytest.mark.parametrize("value", [0, -1.0, "x", [], [[1.0]], [1.0, 0.0], True, None])
def test_what_is_not_positive_is_refused(value):
    with pytest.raises(ValueError, match="Owner: a must be a number above 0, or one per column"):
        positive("Owner", "a", value)


def test_infinity_is_named():
    with pytest.raises(ValueError, match="Owner: a must be finite"):
        positive("Owner", "a", [1.0, np.inf])


def test_what_has_not_moved_stays_to_the_bit():
    old = np.array([0.1, 3.0])
    assert moved(old, np.log(old)) == (0.1, 3.0)
    assert moved(old, np.log(old) + np.array([0.0, 1.0])) == (0.1, float(np.exp(np.log(3.0) + 1)))


def test_three_digits():
    assert written((1 / 3, 2)) == "(0.333, 2)"
    assert written("a") == "a"
