"""Newton steps of linear machines against NumPy: slopes, gradients, and the problem they solve."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from margin.native import _native
from margin.native.duals import newton

RNG = np.random.default_rng(0)


def answer(response, z):
    r = response.shift - z
    r = np.sign(r) * np.maximum(np.abs(r) - response.epsilon, 0.0)
    return np.clip(r * response.inverse, response.lower, response.upper)


def response(n, epsilon=0.0, bound=1.0, pace=2.0):
    inverse = np.full(n, pace)
    return newton.Response(
        RNG.normal(size=n), inverse, np.full(n, -bound), np.full(n, bound), epsilon
    )


@pytest.mark.parametrize("epsilon", [0.0, 0.3])
@pytest.mark.parametrize("n", [1, 7, 200])
def test_the_slope_vanishes_at_the_length(n, epsilon):
    at = response(n, epsilon)
    z, along = RNG.normal(size=(2, n))
    a, b = -3.0 * np.abs(along).sum(), 0.5

    def slope(t):
        return a + b * t - along @ answer(at, z + t * along)

    length = newton.length(at, z, along, a, b)
    assert length > 0
    assert abs(slope(length)) <= 0.02 * abs(slope(0.0))


def test_no_length_where_nothing_falls():
    at = response(5)
    z, along = np.zeros(5), np.zeros(5)
    assert newton.length(at, z, along, 1.0, 1.0) == 0.0
    assert newton.length(at, z, along, 0.0, 1.0) == 0.0


@pytest.mark.parametrize("constant", [(0.0, False), (1.0, False), (1.0, True)])
@pytest.mark.parametrize("epsilon", [0.0, 0.2])
def test_the_gradient_vanishes_after_the_steps(epsilon, constant):
    n, p = 60, 4
    X = RNG.normal(size=(n, p))
    at = response(n, epsilon, bound=0.5)
    last, free = constant
    w, z, beta = np.zeros(p + 1), np.zeros(n), np.empty(n)
    # A far anchor lets the steps end at the size of rounding only.
    anchor, pace = np.zeros(n), 1e30
    made = newton.steps(X, at, constant, anchor, pace, 1e-9, 100, (w, z, beta))
    assert 0 < made < 60
    assert_allclose(z, X @ w[:p] + last * w[p], atol=1e-12)
    assert_allclose(beta, answer(at, z), atol=1e-14)
    weights = np.append(np.ones(p), 0.0 if free else 1.0)
    pulled = np.append(X.T @ beta, last * beta.sum())
    assert_allclose(weights * w, pulled, atol=1e-12)


def test_without_an_anchor_a_tolerance_ends_the_steps():
    n, p = 40, 3
    X = RNG.normal(size=(n, p))
    y = np.where(X[:, 0] > 0, 1.0, -1.0)
    inf = np.where(y > 0, np.inf, 0.0)
    at = newton.Response(y, np.full(n, 2.0), np.where(y < 0, -np.inf, 0.0), inf, 0.0)
    w, z, beta = np.zeros(p + 1), np.zeros(n), np.empty(n)
    newton.steps(X, at, (1.0, False), np.zeros(n), np.inf, 1e-12, 100, (w, z, beta))
    gradient = w - np.append(X.T @ beta, beta.sum())
    assert np.linalg.norm(gradient) <= 1e-7 * np.linalg.norm(w)


def test_steps_are_limited():
    at, point = response(30), (np.zeros(3), np.zeros(30), np.empty(30))
    X = RNG.normal(size=(30, 2))
    assert newton.steps(X, at, (1.0, False), np.zeros(30), 1.0, 1e-9, 0, point) == 0
    assert_allclose(point[2], answer(at, np.zeros(30)))


def test_arrays_must_fit():
    at = response(4)
    with pytest.raises(ValueError, match="newton_length: arrays of different length"):
        newton.length(at, np.zeros(3), np.zeros(4), 0.0, 1.0)
    point = (np.zeros(3), np.zeros(4), np.zeros(4))
    with pytest.raises(ValueError, match="newton_steps: arrays of different length"):
        newton.steps(np.zeros((4, 3)), at, (1.0, False), np.zeros(4), 1.0, 1e-9, 5, point)
    short = at._replace(lower=np.zeros(2))
    with pytest.raises(ValueError, match="newton_length: arrays of different length"):
        newton.length(short, np.zeros(4), np.zeros(4), 0.0, 1.0)
    assert hasattr(_native, "newton_steps")
