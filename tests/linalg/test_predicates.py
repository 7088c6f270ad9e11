import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from margin.linalg import (
    definiteness,
    is_hermitian,
    is_normal,
    is_orthogonal,
    is_regular,
    is_singular,
    is_skew_symmetric,
    is_symmetric,
    is_unitary,
    properties,
)

ROTATION = np.array([[0.6, -0.8], [0.8, 0.6]])
PHASE = np.array([[1.0, 1.0j], [1.0j, 1.0]]) / np.sqrt(2)


# linalg.01: each predicate with one matrix that has the property and one that lacks it.
@pytest.mark.parametrize(
    ("holds", "yes", "no"),
    [
        (is_symmetric, [[1, 2], [2, 3]], [[1, 2], [0, 3]]),
        (is_symmetric, [[1, 1j], [1j, 0]], [[1, 1j], [-1j, 0]]),
        (is_skew_symmetric, [[0, 2], [-2, 0]], [[1, 2], [-2, 0]]),
        (is_hermitian, [[1, 1j], [-1j, 0]], [[1, 1j], [1j, 0]]),
        (is_hermitian, [[1, 2], [2, 3]], [[1j, 0], [0, 1]]),
        (is_orthogonal, ROTATION, 2 * ROTATION),
        (is_orthogonal, [[0, 1], [1, 0]], PHASE),
        (is_unitary, PHASE, 1.001 * PHASE),
        (is_normal, [[1, -1], [1, 1]], [[1, 1], [0, 1]]),
        (is_regular, 1e-12 * np.eye(30), np.ones((2, 2))),
        (is_singular, np.zeros((2, 2)), [[1, 1], [1, 1 + 1e-9]]),
    ],
)
def test_predicate(holds, yes, no):
    assert holds(yes) is True
    assert holds(no) is False


# linalg.01: definiteness through the symmetric part.
@pytest.mark.parametrize(
    ("A", "verdict"),
    [
        (np.eye(2), "positive definite"),
        ([[2, 10], [-10, 2]], "positive definite"),
        ([[2, 1j], [-1j, 2]], "positive definite"),
        (np.ones((2, 2)), "positive semidefinite"),
        (-np.eye(3), "negative definite"),
        (-np.ones((2, 2)), "negative semidefinite"),
        ([[1, 2], [2, 1]], "indefinite"),
        ([[0, 5], [-5, 0]], "zero"),
        (1e-30 * np.eye(2), "positive definite"),
    ],
)
def test_definiteness(A, verdict):
    assert definiteness(A) == verdict


@given(seed=st.integers(0, 10_000), n=st.integers(1, 5))
@settings(deadline=None, max_examples=50)
def test_definiteness_agrees_with_the_sign_of_the_form_on_many_vectors(seed, n):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(n, n)) + rng.choice([-2.0, 0.0, 2.0]) * np.eye(n)
    x = rng.normal(size=(2000, n))
    form = np.einsum("ij,jk,ik->i", x, A, x)
    verdict = definiteness(A)
    if verdict == "positive definite":
        assert form.min() > 0
    elif verdict == "negative definite":
        assert form.max() < 0
    else:
        vectors = np.linalg.eigh((A + A.T) / 2).eigenvectors
        assert vectors[:, 0] @ A @ vectors[:, 0] <= 1e-9
        assert vectors[:, -1] @ A @ vectors[:, -1] >= -1e-9


@given(seed=st.integers(0, 10_000), n=st.integers(1, 6))
@settings(deadline=None, max_examples=50)
def test_orthogonal_matrices_keep_lengths_and_have_unit_determinant_and_spectrum(seed, n):
    """linalg.01: the consequences listed in the docstring, on random orthogonal matrices."""
    rng = np.random.default_rng(seed)
    Q, _ = np.linalg.qr(rng.normal(size=(n, n)))
    assert {"orthogonal", "unitary", "normal", "regular"} <= properties(Q)
    x, y = rng.normal(size=(2, n))
    assert (Q @ x) @ (Q @ y) == pytest.approx(x @ y)
    assert abs(np.linalg.det(Q)) == pytest.approx(1)
    assert np.abs(np.linalg.eigvals(Q)) == pytest.approx(np.ones(n))


def test_rounding_is_forgiven_relative_to_the_entries():
    A = 1e20 * np.array([[1.0, 1.0 + 1e-14], [1.0, 1.0]])
    assert is_symmetric(A)
    assert not is_symmetric(A, rtol=0.0)


def test_all_properties_of_a_diagonal_matrix():
    assert properties(np.diag([1.0, 2.0])) == {
        "symmetric", "hermitian", "normal", "regular", "positive definite",
    }  # fmt: skip


@pytest.mark.parametrize("bad", [np.ones((2, 3)), np.ones(4)])
def test_oblong_input_is_refused(bad):
    with pytest.raises(ValueError, match="matrix must be square"):
        is_symmetric(bad)


def test_missing_values_are_refused():
    with pytest.raises(ValueError, match="matrix must be finite everywhere"):
        definiteness([[np.nan]])
