"""Sums over all pairs of numbers, against the matrices of distances."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.native import _native
from margin.native.dependence.lines import line_products, sorted_lines, totals


def twin(x, y):
    A, B = np.abs(x[:, None] - x), np.abs(y[:, None] - y)
    a, b = A.sum(axis=1), B.sum(axis=1)
    return [(A * B).sum(), a @ b], [[a.sum(), a @ a], [b.sum(), b @ b]]


def columns(n, seed):
    """Smooth, with many ties, constant, of huge steps, and equal in all but the last bits."""
    rng = np.random.default_rng(seed)
    yield rng.standard_normal(n)
    yield rng.integers(-1, 2, n) * 1.0
    yield np.zeros(n)
    yield np.exp(8.0 * rng.standard_normal(n)) * rng.choice([-1.0, 1.0], n)
    yield 1.0 + 2.0**-50 * rng.integers(0, 9, n)


# Around the sizes of leaves (32), of one (512) and of two digits (8192).
@pytest.mark.parametrize("n", [0, 1, 2, 3, 31, 32, 33, 64, 511, 512, 513, 700])
@pytest.mark.parametrize("n_threads", [1, 3])
def test_sums_are_those_of_the_matrices(n, n_threads):
    order = np.random.default_rng(n).permutation(n)
    for x in columns(n, n):
        for y in columns(n, n + 1):
            lines = sorted_lines(x, y, n_threads)
            both, own = twin(x, y)
            scale = 1e-13 * n**2 * np.abs(x).max(initial=0) * np.abs(y).max(initial=0)
            assert_allclose(line_products(lines, None, n_threads), both, rtol=1e-10, atol=n * scale)
            for column, total, exact in zip((x, y), totals(lines), own, strict=True):
                size = 1e-13 * n**2 * np.abs(column).max(initial=0)
                assert_allclose(total[0], exact[0], rtol=1e-10, atol=size)
                assert_allclose(total[1], exact[1], rtol=1e-10, atol=size**2 * n)
            assert_allclose(
                line_products(lines, order, n_threads)[0], twin(x, y[order])[0][0],
                rtol=1e-10, atol=n * scale,
            )  # fmt: skip


def test_three_digits_and_any_number_of_threads():
    x, y = np.random.default_rng(0).standard_normal((2, 9001))
    y += x**2
    exact = sum(
        (np.abs(x - x[i : i + 500, None]) * np.abs(y - y[i : i + 500, None])).sum()
        for i in range(0, 9001, 500)
    )
    sums = [line_products(sorted_lines(x, y, t), None, t) for t in (1, 2, 5)]
    assert_allclose(sums[0][0], exact, rtol=1e-13)
    assert sums[0] == sums[1] == sums[2]


def test_negative_zero_is_zero():
    x, y = np.array([0.0, -0.0, 1.0, -0.0]), np.array([2.0, -0.0, 0.0, 5.0])
    assert_allclose(line_products(sorted_lines(x, y))[0], twin(x, y)[0][0])


def test_refusals():
    x = np.arange(3.0)
    with pytest.raises(ValueError, match="columns differ in length"):
        sorted_lines(x, x[:2])
    for bad in (np.nan, np.inf, -np.inf):
        with pytest.raises(ValueError, match="a number is not finite"):
            sorted_lines(x, np.array([0.0, bad, 1.0]))
    lines = sorted_lines(x, x)
    assert isinstance(lines, _native.DistanceLines)
    for order in ([0, 1, 1], [0, 1, 3], [0, 1, -1]):
        with pytest.raises(ValueError, match="order must name each row once"):
            line_products(lines, np.array(order))
    with pytest.raises(ValueError, match="order of another length"):
        line_products(lines, np.array([0, 1]))
