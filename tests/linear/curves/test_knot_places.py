"""Where the pieces of a basis meet (linear.17)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.linear.curves._knot_places import knot_places


def test_quantiles_hold_as_many_rows_between_knots():
    x = np.sort(np.random.default_rng(0).normal(size=101))
    (knots,) = knot_places("Model", x[:, None], "quantile", 5)
    assert_array_equal(knots, x[::25])


def test_equal_knots_count_once():
    X = np.column_stack([np.repeat([0.0, 1.0], 5), np.full(10, 3.0)])
    few, one = knot_places("Model", X, "quantile", 4)
    assert few[0] == 0.0
    assert few[-1] == 1.0
    assert (np.diff(few) > 0).all()
    assert_array_equal(one, [3.0])


def test_given_knots_serve_every_feature():
    X = np.zeros((2, 2))
    shared = knot_places("Model", X, [0.0, 1.0, 4.0], 9)
    assert len(shared) == 2
    assert_allclose(shared[1], [0.0, 1.0, 4.0])
    own = knot_places("Model", X, [[0.0, 5.0], [1.0, 6.0]], 9)
    assert_allclose(own[1], [5.0, 6.0])


@pytest.mark.parametrize(
    ("knots", "text"),
    [
        ("even", "one of 'quantile', 'uniform', got 'even'"),
        ([1.0, 0.0], "finite and rising"),
        ([0.0, np.inf], "finite and rising"),
        ([0.0], "at least 2"),
        (["a", "b"], "'quantile', 'uniform' or numbers"),
    ],
)
def test_refusals(knots, text):
    with pytest.raises(ValueError, match=f"Model: knots must be {text}"):
        knot_places("Model", np.zeros((3, 1)), knots, 3)
