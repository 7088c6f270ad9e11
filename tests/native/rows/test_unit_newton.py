"""The compiled pass and Newton's step against their NumPy twins."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.special import expit

from margin import losses
from margin.native import _native
from margin.native.rows.unit_newton import UnitRows

RNG = np.random.default_rng(0)
LOGISTIC = losses.Logistic().native_id


def rows_of(n, p, *, weighted=True, dtype=np.float64, l2=0.3, intercept=True):
    X = (RNG.normal(size=(n, p)) * np.arange(1, p + 1) + 2.0).astype(dtype)
    y, weight = RNG.integers(0, 2, n).astype(float), RNG.uniform(0.1, 2.0, n)
    centre = X.mean(axis=0, dtype=float) if intercept else np.zeros(p)
    scale = X.std(axis=0, dtype=float) + 0.5
    return UnitRows(LOGISTIC, X, y, weight if weighted else None, centre, scale, l2, 1)


def twin(rows, u):
    """Value, gradient and Hessian in the units of the columns."""
    X, p = rows.X.astype(float), rows.X.shape[1]
    weight = np.ones(len(X)) if rows.weight is None else rows.weight
    Z = (X - rows.centre) / rows.scale
    if len(u) > p:
        Z = np.column_stack([Z, np.ones(len(X))])
    z, w = Z @ u, u[:p] / rows.scale
    value = weight @ (np.logaddexp(0, z) - rows.y * z) + 0.5 * rows.l2 * w @ w
    gradient = Z.T @ (weight * (expit(z) - rows.y))
    gradient[:p] += rows.l2 * w / rows.scale
    H = (Z.T * (weight * expit(z) * expit(-z))) @ Z
    H[np.arange(p), np.arange(p)] += rows.l2 / rows.scale**2
    return value, gradient, H


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("n", "p"), [(1, 1), (3, 2), (50, 8), (203, 17), (64, 24)])
def test_value_gradient_and_step(n, p, dtype, intercept):
    rows = rows_of(n, p, dtype=dtype, intercept=intercept, weighted=n > 3)
    u = 0.3 * RNG.normal(size=p + intercept)
    value, gradient, curvature = rows.expand(u)
    expected, slope, H = twin(rows, u)
    assert value == pytest.approx(expected, rel=1e-12)
    assert_allclose(gradient, slope, rtol=1e-9, atol=1e-10)
    step = rows.direction(curvature, gradient)
    assert_allclose(H @ step, -gradient, rtol=1e-8, atol=1e-10)


def test_a_matrix_that_is_not_definite_is_left_to_others():
    rows = rows_of(30, 4, l2=0.0)._replace(scale=np.ones(4), centre=np.zeros(4))
    twice = rows._replace(X=np.ascontiguousarray(rows.X[:, [0, 1, 2, 0]]))
    _, gradient, curvature = twice.expand(np.zeros(5))
    assert twice.direction(curvature, gradient) is None
    assert rows.direction(np.zeros(30), np.ones(5)) is None
    assert rows.direction(np.full(30, np.nan), np.ones(5)) is None


def test_the_same_for_any_number_of_threads():
    rows = rows_of(5000, 6)
    u = RNG.normal(size=7)
    one, two = rows.expand(u), rows._replace(n_threads=2).expand(u)
    assert one[0] == two[0]
    assert all(np.array_equal(a, b) for a, b in zip(one[1:], two[1:], strict=True))


def test_shapes_are_checked():
    rows = rows_of(5, 2)
    with pytest.raises(ValueError, match="different shape"):
        rows.expand(np.zeros(5))
    with pytest.raises(ValueError, match="different shape"):
        rows._replace(y=rows.y[:3]).expand(np.zeros(3))
    with pytest.raises(ValueError, match="different shape"):
        rows._replace(centre=np.zeros(3)).expand(np.zeros(3))
    with pytest.raises(ValueError, match="different shape"):
        _native.unit_direction(
            rows.X, np.ones(4), np.ones(3), rows.centre, rows.scale, 0.1, np.empty(3)
        )
