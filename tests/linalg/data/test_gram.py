"""Weighted Gram matrices and means in chunks."""

from fractions import Fraction

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from margin.linalg import gram, row_gram
from margin.linalg.data._gram import row_chunks, scatter, weighted_means


def sample(n, p, dtype=np.float64, order="C", seed=0):
    rng = np.random.default_rng(seed)
    X = np.array(rng.normal(size=(n, p)), dtype=dtype, order=order)
    return X, rng.random(n), rng.normal(size=(n, 2)), rng.normal(size=p)


@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (1, 4), (5, 3), (3, 5), (4, 0), (300, 500)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("centred", [False, True])
def test_gram_agrees_with_numpy(shape, dtype, order, weighted, centred):
    """linalg.07: the scatter matrix, from no rows to several chunks."""
    X, s, T, c = sample(*shape, dtype=dtype, order=order)
    matrix, moments = gram(X, s if weighted else None, centre=c if centred else None, targets=T)
    D = X.astype(np.float64) - (c if centred else 0.0)
    W = s if weighted else np.ones(len(X))
    assert_allclose(matrix, (D.T * W) @ D, rtol=1e-11, atol=1e-11)
    assert_allclose(moments, (D.T * W) @ T, rtol=1e-11, atol=1e-11)
    assert_array_equal(matrix, matrix.T)
    assert matrix.dtype == np.float64


def test_gram_of_several_chunks_is_one_sum():
    X, s, T, _ = sample(3000, 150)
    assert len(row_chunks(3000, 150)) > 3
    matrix, moments = gram(X, s, targets=T)
    assert_allclose(matrix, (X.T * s) @ X, rtol=1e-10, atol=1e-10)
    assert_allclose(moments, X.T @ (s[:, None] * T), rtol=1e-10, atol=1e-10)
    assert gram(X)[1] is None


def test_groups_have_their_own_centres():
    X, s, T, _ = sample(60, 4)
    group = np.arange(60) % 3
    centres = np.random.default_rng(1).normal(size=(3, 4))
    matrix, moments = gram(X, s, centre=centres, targets=T, group=group)
    D = X - centres[group]
    assert_allclose(matrix, (D.T * s) @ D, rtol=1e-12)
    assert_allclose(moments, (D.T * s) @ T, rtol=1e-12, atol=1e-13)


def test_gram_leaves_its_input_alone_and_takes_any_strides():
    X, s, _, c = sample(50, 8)
    before = X.copy()
    X.flags.writeable = False
    gram(X, s, centre=c)
    assert_array_equal(X, before)
    assert_allclose(gram(X[::2, ::3])[0], X[::2, ::3].T @ X[::2, ::3], rtol=1e-12)


def test_centring_keeps_the_digits_that_a_difference_of_sums_loses():
    """A column at 1e8 with unit spread: exact rational arithmetic is the judge."""
    X, *_ = sample(40, 2)
    X += 1e8
    exact = [[Fraction(float(v)) for v in row] for row in X]
    mean = [sum(column) / 40 for column in zip(*exact, strict=True)]
    wanted = [
        [float(sum((r[a] - mean[a]) * (r[b] - mean[b]) for r in exact)) for b in range(2)]
        for a in range(2)
    ]
    matrix, _ = gram(X, centre=weighted_means(X))
    assert_allclose(matrix, wanted, rtol=1e-13)
    naive = X.T @ X - 40 * np.outer(X.mean(axis=0), X.mean(axis=0))
    assert np.abs(naive - wanted).max() > 1e-3


@pytest.mark.parametrize("shape", [(1, 3), (3, 1), (4, 9), (6, 40_000)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_row_gram_agrees_with_numpy(shape, dtype, order):
    """linalg.07: scalar products of centred rows, over one chunk of columns and over several."""
    X, _, _, c = sample(*shape, dtype=dtype, order=order)
    for centre in (None, c):
        D = X.astype(np.float64) - (0.0 if centre is None else centre)
        found = row_gram(X, centre)
        assert_allclose(found, D @ D.T, rtol=1e-10, atol=1e-9)
        assert_array_equal(found, found.T)


@pytest.mark.parametrize(("n", "p"), [(0, 5), (1, 5), (7, 1 << 17), (1000, 1000), (3, 0)])
def test_chunks_cover_every_row_once(n, p):
    chunks = row_chunks(n, p)
    assert [i for c in chunks for i in range(c.start, c.stop)] == list(range(n))
    assert all((c.stop - c.start) * p * 8 <= 1 << 20 or c.stop - c.start == 1 for c in chunks)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_means_are_weighted_and_double(dtype):
    X, s, _, _ = sample(300, 3, dtype=dtype)
    assert_allclose(weighted_means(X), X.astype(np.float64).mean(axis=0), rtol=1e-13)
    assert_allclose(weighted_means(X, s), np.average(X.astype(np.float64), axis=0, weights=s))
    assert weighted_means(X).dtype == np.float64


@pytest.mark.parametrize("value", [0.0, 0.1, 1 / 3, -1e8 - 0.1, 1e-300])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("n", [1, 7, 50, 200_000])
def test_means_of_constant_columns_are_exact(value, weighted, n):
    """Rounded sums would turn a constant column into noise that later looks like a feature."""
    X = np.column_stack([np.full(n, value), np.arange(n) % 5 * 0.1])
    weight = np.random.default_rng(0).random(n) + 0.1 if weighted else None
    assert weighted_means(X, weight)[0] == value
    wanted = np.average(X[:, 1], weights=weight)
    assert_allclose(weighted_means(X, weight)[1], wanted, rtol=1e-12, atol=1e-300)


def test_rows_of_weight_zero_do_not_count_for_constancy():
    X = np.array([[5.0, 1.0], [0.1, 2.0], [0.1, 3.0], [7.0, 4.0]])
    weight = np.array([0.0, 0.3, 0.7, 0.0])
    means = weighted_means(X, weight)
    assert means[0] == 0.1
    assert_allclose(means[1], 2.7)


@pytest.mark.parametrize("weighted", [False, True])
def test_scatter_is_the_centred_gram_matrix_in_one_read(weighted):
    X, s, T, _ = sample(3000, 40)
    X = X + np.linspace(-1e6, 1e6, 40)
    weight = s if weighted else None
    found = scatter(X, T, weight, 2)
    W = s if weighted else np.ones(3000)
    D = X - np.average(X, axis=0, weights=W)
    assert_allclose(found.mean, weighted_means(X, weight), rtol=1e-14)
    assert_allclose(found.gram, (D.T * W) @ D, rtol=1e-9, atol=1e-7)
    assert_allclose(found.moments, (D.T * W) @ T, rtol=1e-7, atol=1e-7)


def test_scatter_reads_again_where_the_sample_misleads():
    """Rows of the sample far from all others: one pass about their mean would lose the digits."""
    n = 1024
    X = np.random.default_rng(0).normal(size=(n, 2))
    X[:: n // 256] += 1e9
    exact = X - X.astype(np.longdouble).mean(axis=0)
    found = scatter(X, np.zeros((n, 1)), None, 1)
    assert_allclose(found.gram, (exact.T @ exact).astype(float), rtol=1e-12)
    X[:: n // 256] = 1e12
    X[1] = 0.0
    hidden = X - X.astype(np.longdouble).mean(axis=0)
    found = scatter(X, np.zeros((n, 1)), None, 1)
    assert_allclose(found.gram, (hidden.T @ hidden).astype(float), rtol=1e-12)


def test_scatter_of_a_constant_column_is_exactly_zero_whatever_the_weights():
    X = np.column_stack([np.full(5000, 0.1), np.arange(5000.0)])
    weight = np.random.default_rng(0).random(5000)
    weight[::7] = 0.0
    X[::7, 0] = 3.0
    found = scatter(X, X[:, 1:] - 2500, weight, 1)
    assert found.mean[0] == 0.1
    assert not found.gram[0].any()
    assert not found.moments[0].any()
