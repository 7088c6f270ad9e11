import numpy as np
import pytest

from margin.linalg._matrix import asymmetry, matrix, right_side, square, symmetric, vector


def test_integers_become_floats_and_float64_is_not_copied():
    A = np.eye(3)
    assert matrix(A) is A
    assert matrix([[1, 2]]).dtype == np.float64


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (np.ones(3), r"kernel must be two-dimensional, got an array of shape \(3,\)"),
        ([[1.0, np.nan]], "kernel must be finite everywhere, got NaN"),
        ([[1.0, -np.inf]], "kernel must be finite everywhere, got infinity"),
        ([[1.0, 1j]], "kernel must be real, got an array of complex128"),
    ],
)
def test_matrix_refuses(bad, message):
    with pytest.raises(ValueError, match=message):
        matrix(bad, "kernel")


def test_square_refuses_an_oblong():
    with pytest.raises(ValueError, match=r"must be square, got an array of shape \(2, 3\)"):
        square(np.ones((2, 3)))


def test_symmetry_is_judged_relative_to_the_largest_entry():
    A = 1e12 * np.ones((3, 3))
    A[0, 1] += 1.0
    assert symmetric(A) is A
    with pytest.raises(ValueError, match="must be symmetric, got entries 1e-06 apart"):
        symmetric([[1.0, 1e-6], [0.0, 1.0]])


def test_asymmetry_sees_every_block():
    n = 1300
    for i, j in [(0, 1), (3, 700), (1299, 2), (600, 1200)]:
        A = np.zeros((n, n))
        A[i, j] = 2.5
        assert asymmetry(A) == 2.5
    assert asymmetry(np.empty((0, 0))) == 0.0


def test_vector_and_right_side_refuse_wrong_shapes():
    with pytest.raises(ValueError, match=r"b must be of shape \(3,\), got an array of shape \(2,"):
        vector([1.0, 2.0], 3, "b")
    with pytest.raises(ValueError, match="b must be finite"):
        vector([1.0, np.inf], 2, "b")
    with pytest.raises(ValueError, match=r"of shape \(3,\) or \(3, k\)"):
        right_side(np.ones((2, 3)), 3)
    with pytest.raises(ValueError, match="right-hand side"):
        right_side(np.ones((3, 1, 1)), 3)
