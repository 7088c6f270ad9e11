from itertools import product as cartesian

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist

from margin.core import FitError
from margin.linalg import ScalarProduct, check_metric, check_scalar_product

POINTS = np.random.default_rng(0).normal(size=(12, 3))


@pytest.mark.parametrize("metric", ["euclidean", "cityblock", "chebyshev", "canberra"])
def test_metrics_pass(metric):
    """linalg.18"""
    check = check_metric(cdist(POINTS, POINTS, metric))
    assert check
    assert check.violations == ()
    assert check.detour is None


def test_squared_euclidean_distance_fails_the_triangle_inequality_only():
    """linalg.18: and the worst detour is a real one."""
    D = cdist(POINTS, POINTS, "sqeuclidean")
    check = check_metric(D)
    assert check.violations == ("triangle",)
    i, j, k = check.detour
    assert D[i, j] + D[j, k] < D[i, k]


@pytest.mark.parametrize(
    ("D", "violations"),
    [
        ([[0, -1], [-1, 0]], {"nonnegative", "triangle"}),
        ([[1, 1], [1, 0]], {"zero_diagonal"}),
        ([[0, 0], [0, 0]], {"separates"}),
        ([[0, 1], [2, 0]], {"symmetric"}),
    ],
)
def test_each_axiom_can_fail(D, violations):
    assert set(check_metric(D).violations) == violations


@given(seed=st.integers(0, 10_000), n=st.integers(1, 6))
@settings(deadline=None, max_examples=40)
def test_triangle_inequality_against_all_triples(seed, n):
    D = np.random.default_rng(seed).uniform(1, 2.2, size=(n, n))
    D = (D + D.T) / 2 * (1 - np.eye(n))
    brute = all(D[i, k] <= D[i, j] + D[j, k] for i, j, k in cartesian(range(n), repeat=3))
    assert check_metric(D).triangle == brute


def test_rounding_is_forgiven_relative_to_the_largest_distance():
    D = 1e15 * cdist(POINTS, POINTS)
    D[0, 1] *= 1 + 1e-14
    assert check_metric(D)
    assert not check_metric(D, rtol=0.0)
    with pytest.raises(ValueError, match="distance matrix must be finite"):
        check_metric([[np.nan]])


def test_scalar_products_pass_and_imitations_fail_where_they_should():
    """linalg.19"""
    A = np.array([[2.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 3.0]])
    assert check_scalar_product(lambda x, y: x @ A @ y, POINTS)
    imitations = {
        "additive": lambda x, y: np.sum(np.minimum(np.abs(x), np.abs(y))),
        "homogeneous": lambda x, y: np.abs(x @ y),
        "symmetric": lambda x, y: x @ np.triu(np.ones((3, 3))) @ y,
        "positive": lambda x, y: x[0] * y[0],
    }
    for axiom, imitation in imitations.items():
        trial = np.vstack([POINTS, [0.0, 0.0, 1.0]])
        assert axiom in check_scalar_product(imitation, trial).violations


@given(seed=st.integers(0, 10_000))
@settings(deadline=None, max_examples=40)
def test_a_bilinear_form_is_a_scalar_product_iff_its_matrix_is_symmetric_definite(seed):
    """linalg.19: accepted exactly when the eigenvalues say so; the checker agrees."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(3, 3))
    A = A + A.T + rng.uniform(-2, 4) * np.eye(3)
    smallest = np.linalg.eigvalsh(A)[0]
    eigenvector = np.linalg.eigh(A)[1][:, :1].T
    if smallest > 1e-9:
        form = ScalarProduct(A)
        assert check_scalar_product(form, POINTS)
        x, y = rng.normal(size=(2, 3))
        assert float(form(x, y)) == pytest.approx(x @ A @ y)
        assert float(form.norm(x)) == pytest.approx(np.sqrt(x @ A @ x))
        assert abs(form(x, y)) <= form.norm(x) * form.norm(y) * (1 + 1e-12)
    elif smallest < -1e-9:
        with pytest.raises(FitError, match="matrix of the scalar product must be positive"):
            ScalarProduct(A)
        check = check_scalar_product(lambda x, y: x @ A @ y, eigenvector)
        assert check.violations == ("positive",)


def test_gram_matrix_and_broadcasting():
    A = np.diag([1.0, 2.0, 3.0])
    form = ScalarProduct(A)
    assert_allclose(form.gram(POINTS), POINTS @ A @ POINTS.T)
    assert_allclose(form.gram(POINTS, POINTS[:2]), POINTS @ A @ POINTS[:2].T)
    assert_allclose(form(POINTS, POINTS[0]), POINTS @ A @ POINTS[0])
    assert form.norm(np.zeros(3)) == 0
    assert repr(form) == "ScalarProduct(d=3)"


def test_nearly_singular_form_is_not_silently_mended():
    with pytest.raises(FitError):
        ScalarProduct(np.ones((2, 2)))
