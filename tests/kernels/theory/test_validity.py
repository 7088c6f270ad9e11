"""Validity of kernels (kernels.22)."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.kernels import (
    RBF,
    Linear,
    Sigmoid,
    ThinPlate,
    check_conditionally_psd,
    check_psd,
    find_violation,
    quadratic_forms,
)


def test_a_violation_is_shown():
    """kernels.22: the coefficients returned make the quadratic form negative."""
    K = np.array([[1.0, 2.0, 0.0], [2.0, 1.0, 0.0], [0.0, 0.0, 3.0]])
    verdict = check_psd(K)
    assert not verdict
    assert_allclose(verdict.eigenvalue, -1.0)
    assert_allclose(verdict.vector @ K @ verdict.vector, -1.0)
    assert_allclose(np.linalg.norm(verdict.vector), 1.0)
    assert "NOT positive semi-definite, smallest eigenvalue -1" in repr(verdict)


def test_gram_matrices_pass_also_when_singular():
    """K = B'B of any B."""
    for seed in range(5):
        B = np.random.default_rng(seed).normal(size=(12, 4))
        assert check_psd(B @ B.T)
        assert check_psd(Linear(), B)
    assert check_psd(np.zeros((3, 3)))
    assert check_psd(np.empty((0, 0)))


def test_a_difference_of_kernels_fails():
    """What the algebra refuses: k1 - k2."""
    X = np.random.default_rng(0).normal(size=(10, 2))
    assert not check_psd(RBF(1.0)(X) - RBF(2.0)(X))


def test_quadratic_forms():
    """They lie between the extreme eigenvalues, and one negative refutes."""
    K = RBF(1.0)(np.random.default_rng(1).normal(size=(9, 2)))
    values = np.linalg.eigvalsh(K)
    forms = quadratic_forms(K, 500, rng=0)
    assert forms.shape == (500,)
    assert (forms >= values[0] - 1e-12).all()
    assert (forms <= values[-1] + 1e-12).all()
    assert (quadratic_forms(K - 2.0 * np.eye(9), 500, rng=0) < 0).any()


def test_conditional_definiteness():
    """The coefficients are orthogonal to the affine functions; -|x - z| passes, |x - z| fails."""
    X = np.random.default_rng(2).normal(size=(12, 2))
    r = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    assert check_conditionally_psd(-r, X)
    wrong = check_conditionally_psd(r, X)
    assert not wrong
    assert_allclose(wrong.vector @ np.column_stack([np.ones(12), X]), 0.0, atol=1e-12)
    assert_allclose(wrong.vector @ r @ wrong.vector, wrong.eigenvalue, rtol=1e-10)
    assert check_conditionally_psd(ThinPlate(), X)


def test_conditional_on_points_of_a_line():
    """Columns that depend on each other count once; few points leave nothing to violate."""
    line = np.outer(np.arange(6.0), [1.0, 2.0])
    assert check_conditionally_psd(ThinPlate(), line)
    assert check_conditionally_psd(ThinPlate(), np.zeros((1, 2)))


def test_search_finds_the_sigmoid_and_spares_the_gaussian():
    verdict = find_violation(Sigmoid(1.0, 0.5), rng=0)
    assert not verdict
    assert_allclose(
        verdict.vector @ Sigmoid(1.0, 0.5)(verdict.points) @ verdict.vector, verdict.eigenvalue
    )
    assert find_violation(RBF(1.0), 3, rng=0)


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        ([[1.0, 2.0]], "a square matrix"),
        ([[1.0, 2.0], [0.0, 1.0]], "symmetric"),
        ([[np.nan]], "finite"),
    ],
)
def test_matrices_are_refused(matrix, words):
    with pytest.raises(ValueError, match=f"check_psd: kernel must be.*{words}"):
        check_psd(matrix)


def test_no_trials():
    with pytest.raises(ValueError, match="find_violation: n_trials must be"):
        find_violation(RBF(), n_trials=0)
