"""The compiled radial maps against NumPy twins."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.native import _native
from margin.native.kernels import kernel_maps

A = 1.3
ROOT3, ROOT5 = np.sqrt(3.0), np.sqrt(5.0)


def quiet_log(s):
    return np.log(np.where(s > 0, s, 1.0))


VALUES = {
    kernel_maps.SQUARED: lambda s: s,
    kernel_maps.GAUSSIAN: lambda s: np.exp(-0.5 * s),
    kernel_maps.EXPONENTIAL: lambda s: np.exp(-np.sqrt(s)),
    kernel_maps.THREE_HALVES: lambda s: (1 + ROOT3 * np.sqrt(s)) * np.exp(-ROOT3 * np.sqrt(s)),
    kernel_maps.FIVE_HALVES: lambda s: (
        (1 + ROOT5 * np.sqrt(s) + 5 * s / 3) * np.exp(-ROOT5 * np.sqrt(s))
    ),
    kernel_maps.GAMMA_EXPONENTIAL: lambda s: np.exp(-(s ** (A / 2))),
    kernel_maps.RATIONAL_QUADRATIC: lambda s: (1 + s / (2 * A)) ** -A,
}
SLOPES = {
    kernel_maps.GAUSSIAN: lambda s: np.exp(-0.5 * s),
    kernel_maps.EXPONENTIAL: lambda s: np.where(
        s > 0, np.exp(-np.sqrt(s)) / np.maximum(np.sqrt(s), 1e-7), 0.0
    ),
    kernel_maps.THREE_HALVES: lambda s: 3 * np.exp(-ROOT3 * np.sqrt(s)),
    kernel_maps.FIVE_HALVES: lambda s: (
        5 / 3 * (1 + ROOT5 * np.sqrt(s)) * np.exp(-ROOT5 * np.sqrt(s))
    ),
    kernel_maps.GAMMA_EXPONENTIAL: lambda s: np.where(
        s > 0, A * s ** (A / 2) * np.exp(-(s ** (A / 2))) / np.maximum(s, 1e-14), 0.0
    ),
    kernel_maps.RATIONAL_QUADRATIC: lambda s: (1 + s / (2 * A)) ** (-A - 1),
}
SHAPES = {
    kernel_maps.GAMMA_EXPONENTIAL: lambda s: (
        -np.exp(-(s ** (A / 2))) * s ** (A / 2) * A / 2 * quiet_log(s)
    ),
    kernel_maps.RATIONAL_QUADRATIC: lambda s: (
        A * (1 + s / (2 * A)) ** -A * (s / (2 * A + s) - np.log1p(s / (2 * A)))
    ),
}
TWINS = [(order, kind) for order, t in enumerate((VALUES, SLOPES, SHAPES)) for kind in t]


def twin(order, kind, s):
    return (VALUES, SLOPES, SHAPES)[order][kind](s)


@pytest.mark.parametrize(("order", "kind"), TWINS)
def test_accuracy_over_the_whole_range(order, kind):
    """One column and one point at zero: s runs from 0 through tiny to huge values."""
    r = np.concatenate([[0.0], np.logspace(-12, 5, 4000), [1e140]])[:, None]
    made = kernel_maps.direct(kind, order, A, r, np.zeros((1, 1)), 1)[:, 0]
    wanted = twin(order, kind, r[:, 0] ** 2)
    # The relative error of exp(-a) is that of the argument times the argument.
    assert_allclose(made, wanted, rtol=1e-12, atol=1e-300 if order < 2 else 1e-15)
    assert_allclose(made[wanted > 1e-5], wanted[wanted > 1e-5], rtol=2e-14)
    single = kernel_maps.direct(
        kind, order, A, r[:-1].astype(np.float32), np.zeros((1, 1), dtype=np.float32), 1
    )[:, 0]
    assert single.dtype == np.float32
    if order == 0:
        squares = r[:-1, 0].astype(np.float32).astype(float) ** 2
        assert_allclose(single, twin(0, kind, squares), rtol=2e-5, atol=1e-34)


def test_exponential_to_the_last_digit():
    """Within two units in the last place of NumPy's, as far as the argument is exact."""
    a = np.linspace(0.0, 700.0, 20011)
    made = kernel_maps.direct(
        kernel_maps.CITY_BLOCK, kernel_maps.VALUE, 0.0, a[:, None], np.zeros((1, 1)), 1
    )[:, 0]
    wanted = np.exp(-a)
    assert (np.abs(made - wanted) <= 2 * np.spacing(wanted)).all()
    single = np.linspace(0.0, 86.0, 20011).astype(np.float32)
    made = kernel_maps.direct(
        kernel_maps.CITY_BLOCK, kernel_maps.VALUE, 0.0, single[:, None],
        np.zeros((1, 1), dtype=np.float32), 1,
    )[:, 0]  # fmt: skip
    wanted = np.exp(-single.astype(float))
    assert (np.abs(made - wanted) <= 2.5 * np.spacing(wanted.astype(np.float32))).all()


@pytest.mark.parametrize(("order", "kind"), TWINS)
@pytest.mark.parametrize(
    "shape", [(0, 0, 2), (0, 3, 2), (1, 1, 1), (5, 3, 0), (64, 64, 4), (130, 67, 9)]
)
def test_both_paths_on_all_shapes(order, kind, shape):
    """No rows, one row, no columns, full and partial blocks."""
    n, m, p = shape
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(n, p)), rng.normal(size=(m, p))
    s = ((X[:, None] - Z) ** 2).sum(axis=2)
    wanted = twin(order, kind, s)
    assert_allclose(kernel_maps.direct(kind, order, A, X, Z, 1), wanted, rtol=1e-11, atol=1e-13)
    norms = (X**2).sum(axis=1), (Z**2).sum(axis=1)
    made = kernel_maps.from_products(kind, order, A, (X, Z), norms, X @ Z.T, False, 1)
    assert_allclose(made, wanted, rtol=1e-10, atol=1e-12)
    own = kernel_maps.direct(kind, order, A, X, None, 1)
    assert (own == own.T).all()
    assert_allclose(own, kernel_maps.direct(kind, order, A, X, X.copy(), 1), rtol=1e-14)
    symmetric = kernel_maps.from_products(
        kind, order, A, (X, X), (norms[0], norms[0]), X @ X.T, True, 1
    )
    assert (symmetric == symmetric.T).all()
    assert_allclose(symmetric, own, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("kind", SLOPES)
def test_gradient_sums(kind, dtype):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(131, 3)).astype(dtype)
    X[5] = X[6]
    weight = rng.normal(size=(131, 131)).astype(dtype)
    differences = (X[:, None] - X).astype(float) ** 2
    s = differences.sum(axis=2)
    wanted = np.einsum("ij,ijk->k", weight * SLOPES[kind](s), differences)
    has_shape = kind in SHAPES
    found = kernel_maps.gradient(kind, A, X, weight, has_shape, 1)
    scale = 1e-11 if dtype == np.float64 else 3e-4
    assert_allclose(found[:3], wanted, rtol=scale, atol=scale * 100)
    if has_shape:
        assert_allclose(found[3], (weight * SHAPES[kind](s)).sum(), rtol=scale, atol=scale * 100)
    values = kernel_maps.direct(kind, kernel_maps.VALUE, A, X, None, 1).astype(float)
    assert_allclose(found[4], (weight * values).sum(), rtol=scale, atol=scale * 100)
    fewer = kernel_maps.gradient(kind, A, X, weight, has_shape, 1, total=False)
    assert (fewer == [*found[:4], 0.0]).all()
    assert kernel_maps.gradient(kind, A, X[:0], weight[:0, :0].copy(), has_shape, 1).sum() == 0.0


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("kind", SLOPES)
def test_gradient_sums_between_two_tables(kind, dtype):
    rng = np.random.default_rng(4)
    X, Z = (rng.normal(size=(n, 3)).astype(dtype) for n in (70, 131))
    Z[7] = X[3]
    weight = rng.normal(size=(70, 131)).astype(dtype)
    differences = (Z[None] - X[:, None]).astype(float)
    s = (differences**2).sum(axis=2)
    G = weight * SLOPES[kind](s)
    has_shape = kind in SHAPES
    sums, points = kernel_maps.cross_gradient(kind, A, X, Z, weight, has_shape, 1)
    scale = 1e-11 if dtype == np.float64 else 3e-4
    slack = {"rtol": scale, "atol": 100 * scale}
    assert_allclose(sums[:3], np.einsum("ij,ijk->k", G, differences**2), **slack)
    assert_allclose(points, np.einsum("ij,ijk->ik", G, differences), **slack)
    if has_shape:
        assert_allclose(sums[3], (weight * SHAPES[kind](s)).sum(), **slack)
    values = kernel_maps.direct(kind, kernel_maps.VALUE, A, X, Z, 1).astype(float)
    assert_allclose(sums[4], (weight * values).sum(), **slack)
    two = kernel_maps.cross_gradient(kind, A, X, Z, weight, has_shape, 2)
    assert (two[0] == sums).all()
    assert (two[1] == points).all()
    none = kernel_maps.cross_gradient(kind, A, X[:0], Z, weight[:0], has_shape, 1)
    assert none[0].sum() == 0.0


def test_any_number_of_threads_gives_the_same_bits():
    rng = np.random.default_rng(2)
    X, weight = rng.normal(size=(900, 12)), rng.normal(size=(900, 900))
    kind = kernel_maps.FIVE_HALVES
    one, two = (kernel_maps.direct(kind, 0, A, X, None, t) for t in (1, 2))
    assert (one == two).all()
    one, two = (kernel_maps.gradient(kind, A, X, weight, False, t) for t in (1, 2))
    assert (one == two).all()


def test_cancelled_distances_come_from_the_rows():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(70, 8)) + 1e4
    Z = X[:66] + 1e-4 * rng.normal(size=(66, 8))
    norms = (X**2).sum(axis=1), (Z**2).sum(axis=1)
    made = kernel_maps.from_products(0, 0, 0.0, (X, Z), norms, X @ Z.T, False, 1)
    assert_allclose(made, ((X[:, None] - Z) ** 2).sum(axis=2), rtol=1e-11)
    blind = kernel_maps.from_products(0, 0, 0.0, None, norms, X @ Z.T, False, 1)
    assert (blind >= 0.0).all()


def test_wrong_arguments_are_refused():
    X, out = np.zeros((3, 2)), np.zeros((3, 3))
    with pytest.raises(ValueError, match="unknown kind"):
        kernel_maps.direct(99, 0, A, X, None, 1)
    with pytest.raises(ValueError, match="unknown kind"):
        kernel_maps.direct(1, 5, A, X, None, 1)
    with pytest.raises(ValueError, match="kind without this derivative"):
        kernel_maps.direct(kernel_maps.GAUSSIAN, kernel_maps.SHAPE, A, X, None, 1)
    with pytest.raises(ValueError, match="radial_direct: arrays of different shape"):
        _native.radial_direct(1, 0, A, X, np.zeros((3, 1)), out, False, 1)
    with pytest.raises(ValueError, match="radial_direct: arrays of different shape"):
        _native.radial_direct(1, 0, A, X, X[:2].copy(), out[:, :2].copy(), True, 1)
    with pytest.raises(ValueError, match="radial_products: arrays of different shape"):
        kernel_maps.from_products(1, 0, A, (X, X), (np.zeros(2), np.zeros(3)), out, True, 1)
    with pytest.raises(ValueError, match="radial_gradient: arrays of different shape"):
        kernel_maps.gradient(1, A, X, np.zeros((2, 3)), False, 1)
    with pytest.raises(ValueError, match="radial_cross_gradient: arrays of different shape"):
        kernel_maps.cross_gradient(1, A, X, X, np.zeros((2, 3)), False, 1)
