"""Checks of a linear system."""

import numpy as np
import pytest

from margin.inference.filters._linear_system import LinearSystem


def test_shapes_and_defaults():
    """sequence.32: bias, input and matrices that change with time."""
    system = LinearSystem(np.eye(2), np.ones((5, 1, 2)), np.eye(2), [[1.0]], b=np.ones((5, 2)))
    assert not system.constant
    assert system.at(3).constant
    np.testing.assert_array_equal(system.mean, [0.0, 0.0])
    np.testing.assert_array_equal(system.at(2).C, [[1.0, 1.0]])
    assert system.arrays().C.shape == (5, 1, 2)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"A": np.eye(3)}, r"A must be of shape \(2, 2\), or one such for every row"),
        ({"Q": -np.eye(2)}, "Q must be positive semi-definite, got 'an eigenvalue of -1'"),
        ({"R": [[np.nan]]}, "R must be finite"),
        ({"cov": [[1.0, 0.5], [0.0, 1.0]]}, "cov must be symmetric"),
        ({"mean": np.zeros((5, 2))}, r"mean must be of shape \(2,\)"),
        ({"C": np.zeros(3)}, "C must be of shape"),
    ],
)
def test_refusals(change, message):
    parts = {"A": np.eye(2), "C": [[1.0, 0.0]], "Q": np.eye(2), "R": [[1.0]]}
    with pytest.raises(ValueError, match=f"LinearSystem: {message}"):
        LinearSystem(**parts | change)
