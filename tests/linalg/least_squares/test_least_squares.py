"""Least squares and ridge by Cholesky, dual equations and SVD (linear.03, linear.13)."""

from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy import sparse

from margin.core import FitError
from margin.linalg import ridge


def exact(X, y, weight=None, alpha=0.0):
    """Coefficients and intercept in rational arithmetic: the answer without rounding."""
    rows = [[Fraction(float(v)) for v in row] + [Fraction(1)] for row in X]
    s = [Fraction(1)] * len(rows) if weight is None else [Fraction(float(v)) for v in weight]
    y = [Fraction(float(v)) for v in y]
    d = len(rows[0])
    M = [
        [sum(w * r[a] * r[b] for w, r in zip(s, rows, strict=True)) for b in range(d)]
        + [sum(w * r[a] * t for w, r, t in zip(s, rows, y, strict=True))]
        for a in range(d)
    ]
    for a in range(d - 1):
        M[a][a] += Fraction(float(alpha))
    for a in range(d):
        pivot = next(b for b in range(a, d) if M[b][a] != 0)
        M[a], M[pivot] = M[pivot], M[a]
        for b in range(d):
            if b != a and M[b][a] != 0:
                factor = M[b][a] / M[a][a]
                M[b] = [u - factor * v for u, v in zip(M[b], M[a], strict=True)]
    solution = np.array([float(M[a][d] / M[a][a]) for a in range(d)])
    return solution[:-1], solution[-1]


def sample(n, p, k=1, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    return X, X @ rng.normal(size=(p, k)) + rng.normal(size=(n, k)) + 2.0, rng.random(n) + 0.1


def reference(X, Y, weight, alpha, intercept):
    """Ridge through an augmented least-squares problem, solved by NumPy."""
    s = np.ones(len(X)) if weight is None else weight
    x_mean = np.average(X, axis=0, weights=s) if intercept else np.zeros(X.shape[1])
    y_mean = np.average(Y, axis=0, weights=s) if intercept else np.zeros(Y.shape[1])
    A = np.vstack([np.sqrt(s)[:, None] * (X - x_mean), np.sqrt(alpha) * np.eye(X.shape[1])])
    B = np.vstack([np.sqrt(s)[:, None] * (Y - y_mean), np.zeros((X.shape[1], Y.shape[1]))])
    coef = np.linalg.pinv(A) @ B
    return coef, y_mean - x_mean @ coef


@pytest.mark.parametrize("shape", [(30, 4), (5, 5), (6, 5), (4, 12), (1, 3), (2, 1), (1, 1)])
@pytest.mark.parametrize("alpha", [0.0, 1e-3, 10.0])
@pytest.mark.parametrize("k", [1, 3])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("intercept", [False, True])
def test_all_methods_and_storages_agree_with_the_pseudo_inverse(
    shape, alpha, k, weighted, intercept
):
    """linear.03, linear.09, linear.13: normal equations = dual form = SVD, tall and wide."""
    X, Y, s = sample(*shape, k=k)
    weight = s if weighted else None
    coef, offset = reference(X, Y, weight, alpha, intercept)
    for A in (X, np.asfortranarray(X), sparse.csr_array(X)):
        for method in ("auto", "svd"):
            fit = ridge(A, Y, weight, alpha, intercept=intercept, method=method)
            assert_allclose(fit.coef, coef, rtol=1e-7, atol=1e-8)
            assert_allclose(fit.intercept, offset, rtol=1e-7, atol=1e-7)
            assert fit.residual < 1e-9
            assert fit.coef.shape == (shape[1], k)


@pytest.mark.parametrize("alpha", [0.0, 0.5])
@pytest.mark.parametrize("shape", [(40, 6), (6, 40)])
def test_objective_and_residual_are_those_of_the_answer(shape, alpha):
    """The certificate is recomputed from the data."""
    X, Y, s = sample(*shape, k=2)
    for A in (X, sparse.csr_array(X)):
        fit = ridge(A, Y, s, alpha)
        error = X @ fit.coef + fit.intercept - Y
        value = 0.5 * np.sum(s[:, None] * error**2) + 0.5 * alpha * np.sum(fit.coef**2)
        assert_allclose(fit.objective, value, rtol=1e-9, atol=1e-20)
        gradient = (X.T * s) @ error + alpha * fit.coef
        centred = Y - np.average(Y, axis=0, weights=s)
        size = np.abs((X - np.average(X, axis=0, weights=s)).T @ (s[:, None] * centred)).max()
        assert abs(np.abs(gradient).max() / size - fit.residual) < 1e-12
        assert fit.residual < 1e-11


@pytest.mark.parametrize("mean", [0.0, 1e4, 1e6, 1e8])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_huge_offsets_against_rational_arithmetic(mean, order, alpha):
    """linear.03: columns of mean 1e8 and spread one keep twelve digits."""
    rng = np.random.default_rng(0)
    X = np.array(rng.normal(size=(40, 3)) + mean, order=order)
    y = (X - mean) @ [1.0, 2.0, 3.0] + rng.normal(size=40)
    coef, offset = exact(X, y, alpha=alpha)
    for method in ("auto", "svd"):
        fit = ridge(X, y[:, None], alpha=alpha, method=method)
        assert_allclose(fit.coef[:, 0], coef, rtol=1e-12)
        assert_allclose(fit.intercept[0], offset, rtol=1e-11, atol=1e-12)
        assert fit.residual < 1e-12


@pytest.mark.parametrize("power", [4, 8, 50])
def test_huge_differences_of_scale_against_rational_arithmetic(power):
    """linear.03: columns from 1e-8 to 1e8; a small column is a feature like any other."""
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(40, 4))
    X = Z * np.logspace(-power, power, 4)
    y = Z @ [1.0, 2.0, 3.0, 4.0] + rng.normal(size=40)
    coef, offset = exact(X, y)
    for method in ("auto", "cholesky", "svd"):
        fit = ridge(X, y[:, None], method=method)
        assert fit.rank == 4
        assert_allclose(fit.coef[:, 0], coef, rtol=1e-9)
        assert_allclose(fit.intercept[0], offset, rtol=1e-9)


@pytest.mark.parametrize(
    ("condition", "tolerance"), [(10, 1e-13), (1e3, 1e-11), (1e4, 1e-10), (1e6, 1e-8)]
)
def test_ill_conditioned_designs_against_rational_arithmetic(condition, tolerance):
    """linear.03: refinement or SVD keep the error near condition times rounding."""
    rng = np.random.default_rng(0)
    U, _ = np.linalg.qr(rng.normal(size=(40, 4)))
    V, _ = np.linalg.qr(rng.normal(size=(4, 4)))
    X = (U * np.geomspace(1, 1 / condition, 4)) @ V
    y = X @ np.ones(4) + 0.1 * rng.normal(size=40)
    coef, _ = exact(X, y)
    fit = ridge(X, y[:, None])
    assert np.abs(fit.coef[:, 0] - coef).max() <= tolerance * np.abs(coef).max()
    assert ("SVD" in fit.method) == (condition >= 1e5)


def test_method_names_say_what_was_done():
    X, Y, _ = sample(30, 4)
    assert ridge(X, Y).method == "Cholesky of the normal equations"
    assert ridge(X[:3], Y[:3]).method == "Cholesky of the dual equations (n < p)"
    assert ridge(X, Y, method="svd").method == "SVD (as asked)"
    twin = np.column_stack([X, X[:, 0]])
    fit = ridge(twin, Y)
    assert fit.method == "SVD (rank 4 of 5)"
    assert fit.rank == 4
    with pytest.raises(np.linalg.LinAlgError, match="singular to working precision"):
        ridge(twin, Y, method="cholesky")


@pytest.mark.parametrize("storage", [np.asarray, np.asfortranarray, sparse.csr_array])
def test_dependent_columns_give_the_solution_of_least_norm(storage):
    """linear.09: repeated and summed columns, against the pseudo-inverse."""
    X, Y, s = sample(30, 3)
    wide = np.column_stack([X, X[:, 0], X[:, 1] - 2 * X[:, 2]])
    coef, offset = reference(wide, Y, s, 0.0, True)
    fit = ridge(storage(wide), Y, s)
    assert_allclose(fit.coef, coef, atol=1e-9)
    assert_allclose(fit.intercept, offset, atol=1e-9)


@pytest.mark.parametrize("value", [0.0, 0.1, 1e8 + 0.1, 1e-5])
@pytest.mark.parametrize("alpha", [0.0, 1.0])
@pytest.mark.parametrize("method", ["auto", "svd"])
def test_constant_columns_get_no_coefficient(value, alpha, method):
    """linear.03: with an intercept, a constant feature explains nothing."""
    X, Y, s = sample(50, 3)
    with_constant = np.column_stack([X, np.full(50, value)])
    for weight in (None, s):
        fit = ridge(with_constant, Y, weight, alpha, method=method)
        without = ridge(X, Y, weight, alpha, method=method)
        assert fit.coef[3, 0] == 0.0
        assert_allclose(fit.coef[:3], without.coef, rtol=1e-9)
        assert_allclose(fit.intercept, without.intercept, rtol=1e-9)
        assert fit.rank == 3
        assert fit.residual < 1e-9


@pytest.mark.parametrize("value", [0.0, 0.1, 1 / 3, 1e8 + 0.1])
@pytest.mark.parametrize("shape", [(50, 3), (4, 9), (1, 2)])
@pytest.mark.parametrize("alpha", [0.0, 1.0])
def test_constant_targets_are_the_intercept(value, shape, alpha):
    X, _, s = sample(*shape)
    Y = np.full((shape[0], 1), value)
    for A in (X, sparse.csr_array(X)):
        for weight in (None, s):
            fit = ridge(A, Y, weight, alpha)
            assert_allclose(fit.coef, 0.0, atol=1e-15 * max(1.0, abs(value)))
            assert_allclose(fit.intercept, value, rtol=1e-12)
            assert fit.residual <= 1e-9


def test_a_target_without_correlation_is_certified():
    """Moments that vanish up to rounding are no reason to doubt the answer."""
    X = np.tile([[-1.0, 1.0], [1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]], (10, 1))
    Y = np.tile([0.1, -0.1, -0.1, 0.1], 10)[:, None] + 0.3
    for A in (X, sparse.csr_array(X)):
        fit = ridge(A, Y)
        assert np.abs(fit.coef).max() < 1e-15
        assert fit.residual < 1e-7


def test_rows_of_weight_zero_are_absent():
    """linear.05: also when too few rows are left for all columns."""
    X, Y, s = sample(20, 6)
    for kept in (12, 4):
        weight = s.copy()
        weight[kept:] = 0.0
        X[kept:] *= 1e6
        for A, part in ((X, X[:kept]), (sparse.csr_array(X), sparse.csr_array(X[:kept]))):
            fit, small = ridge(A, Y, weight), ridge(part, Y[:kept], weight[:kept])
            assert_allclose(fit.coef, small.coef, rtol=1e-7, atol=1e-9)
            assert fit.rank == small.rank == min(6, kept - 1)


def test_float32_input_is_summed_in_double():
    X, Y, s = sample(60, 4)
    single = X.astype(np.float32)
    wanted = ridge(single.astype(np.float64), Y, s)
    for A in (single, np.asfortranarray(single), sparse.csr_array(single)):
        assert_allclose(ridge(A, Y, s).coef, wanted.coef, rtol=1e-10)


def test_without_columns_only_the_intercept_is_left():
    Y = np.array([[1.0], [2.0], [6.0]])
    fit = ridge(np.empty((3, 0)), Y)
    assert fit.coef.shape == (0, 1)
    assert_allclose(fit.intercept, 3.0)
    assert fit.rank == 0


@pytest.mark.parametrize("scale", [1e-200, 1e-120, 1e120])
@pytest.mark.parametrize("method", ["auto", "svd"])
def test_tiny_and_huge_features_whose_squares_vanish(scale, method):
    X, Y, s = sample(30, 4)
    wanted = ridge(X, Y, s)
    fit = ridge(scale * X, Y, s, method=method)
    assert_allclose(fit.coef * scale, wanted.coef, rtol=1e-9)
    assert_allclose(fit.intercept, wanted.intercept, rtol=1e-9)


def test_sums_of_squares_that_overflow_are_refused_by_name():
    X, Y, _ = sample(30, 4)
    for features, targets in ((1e200 * X, Y), (X, 1e200 * Y), (1e200 * X.T, Y[:4])):
        for method in ("auto", "svd"):
            with pytest.raises(FitError, match=r"must have finite sums of squares.*rescale"):
                ridge(features, targets, method=method)


def test_shrinkage_factors():
    """linear.13: singular directions d = 1, 3 shrink by d^2 / (d^2 + 1) = 1/2, 9/10."""
    Q, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(8, 2)))
    X = Q * [1.0, 3.0]
    Y = Q @ np.array([[1.0], [1.0]])
    plain = ridge(X, Y, intercept=False).coef[:, 0]
    shrunk = ridge(X, Y, alpha=1.0, intercept=False).coef[:, 0]
    assert_allclose(shrunk / plain, [0.5, 0.9], rtol=1e-12)
