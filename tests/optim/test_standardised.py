"""The same objective in units of the data (linear.01)."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import sparse

from margin.losses import Logistic, Squared
from margin.optim import LBFGS, LinearProblem, Newton, check_gradient, minimise, standardised
from margin.penalties import L1, L2, ElasticNet, Zero

STORAGES = ["dense", "float32", "sparse"]


def numeric_jacobian(problem, x, h=1e-5):
    steps = h * np.eye(len(x))
    return np.column_stack(
        [(problem.expand(x + e).gradient - problem.expand(x - e).gradient) / (2 * h) for e in steps]
    )


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("intercept", [False, True])
def test_derivatives_are_those_of_the_new_unknowns(
    classification, n_classes, storage, weighted, intercept
):
    """Value, gradient, Hessian and products against the raw problem and differences."""
    raw = classification(
        n_classes, storage, n=50, p=3, weighted=weighted, intercept=intercept, alpha=0.3
    )
    problem = standardised(raw)
    u = np.random.default_rng(0).normal(size=problem.dimension)
    local = problem.expand(u, second_order=True)
    assert_allclose(local.value, raw.expand(problem.raw(u)).value, rtol=1e-12)
    assert check_gradient(problem, u) < 1e-8
    exact = numeric_jacobian(problem, u)
    for v in np.random.default_rng(1).normal(size=(3, problem.dimension)):
        assert_allclose(local.hessian_product(v), exact @ v, rtol=1e-5, atol=1e-6)
    H = local.hessian()
    assert_array_equal(H, H.T)
    if n_classes == 2 or not intercept:
        assert_allclose(H, exact, rtol=1e-5, atol=1e-6)
    else:
        # Only the shift of all raw intercepts, along which nothing bends, may be filled.
        shift = np.append(-problem.centre / problem.scale, 1.0)
        along = np.repeat(shift / np.linalg.norm(shift), 3) / np.sqrt(3)
        added = H - exact
        assert_allclose(added, (along @ added @ along) * np.outer(along, along), atol=1e-5)
        assert along @ added @ along > -1e-5


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("storage", STORAGES)
def test_the_minimum_is_the_same(classification, n_classes, storage):
    raw = classification(n_classes, storage)
    problem = standardised(raw)
    found = minimise(problem, Newton(1e-10))
    plain = minimise(raw, Newton(1e-10))
    assert_allclose(found.objective, plain.objective, rtol=1e-12)
    for a, b in zip(problem.unpack(found.x), raw.unpack(plain.x), strict=True):
        assert_allclose(a, b, atol=1e-6)


def data(n=200, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    y = (X @ [1.0, -2.0, 0.5] + rng.normal(size=n) > 0).astype(float)
    return X, y, rng.random(n) / n


def test_the_unknowns_are_the_coefficients_of_standardised_features():
    X, y, s = data()
    problem = standardised(LinearProblem(5 * X + 2, y, s, Logistic(), Zero()))
    mean = np.average(5 * X + 2, axis=0, weights=s)
    deviation = np.sqrt(np.average((5 * X + 2 - mean) ** 2, axis=0, weights=s))
    assert_allclose(problem.scale, deviation, rtol=1e-10)
    assert_allclose(problem.centre, mean, rtol=1e-10)
    Z = (5 * X + 2 - mean) / deviation
    direct = LinearProblem(Z, y, s, Logistic(), Zero())
    u = np.random.default_rng(1).normal(size=4)
    assert_allclose(problem.expand(u).value, direct.expand(u).value, rtol=1e-10)
    assert_allclose(problem.expand(u).gradient, direct.expand(u).gradient, atol=1e-12)
    coef, intercept = problem.unpack(u)
    assert_allclose((5 * X + 2) @ coef + intercept, direct.predictions(u), atol=1e-10)


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
@pytest.mark.parametrize("offset", [0.0, 10.0, 1e5, 1e8])
def test_the_search_does_not_depend_on_units_and_offsets(scale, offset):
    """Offsets are in deviations; far ones are centred in a copy, so no digits are lost."""
    X, y, s = data()
    base = minimise(standardised(LinearProblem(X, y, s, Logistic(), Zero())), LBFGS(1e-9))
    problem = standardised(LinearProblem(scale * (X + offset), y, s, Logistic(), Zero()))
    found = minimise(problem, LBFGS(1e-9))
    assert found.status.ok
    assert abs(found.n_iter - base.n_iter) <= 3
    assert_allclose(found.objective, base.objective, rtol=1e-8)
    coef, intercept = problem.unpack(found.x)
    margin = scale * (X + offset) @ coef + intercept
    assert np.all((margin[:, 0] > 0) == (problem_margin(base, X, y, s) > 0))


def problem_margin(solution, X, y, s):
    problem = standardised(LinearProblem(X, y, s, Logistic(), Zero()))
    coef, intercept = problem.unpack(solution.x)
    return (X @ coef + intercept)[:, 0]


def test_data_near_the_origin_are_not_copied():
    X, y, s = data()
    raw = LinearProblem(X, y, s, Logistic(), Zero())
    assert standardised(raw).problem is raw
    assert not standardised(raw).shift.any()
    far = standardised(replace(raw, X=X + 1e6))
    assert far.problem is not raw
    assert_allclose(far.shift, (X + 1e6).T @ s / s.sum(), rtol=1e-12)


def test_rows_without_weight_do_not_spoil_the_units():
    """An absent row may hold anything, also as the first."""
    X, y, s = data()
    wanted = standardised(LinearProblem(X[1:], y[1:], s[1:], Logistic(), Zero()))
    s[0] = 0.0
    for value in (1e8, 1e150):
        X[0] = value
        found = standardised(LinearProblem(X, y, s, Logistic(), Zero()))
        assert_allclose(found.scale, wanted.scale, rtol=1e-10)
        assert_allclose(found.centre, wanted.centre, rtol=1e-10, atol=1e-12)


def test_without_an_intercept_nothing_is_centred():
    X, y, s = data()
    problem = standardised(LinearProblem(X + 3, y, s, Logistic(), L2(0.1), intercept=False))
    assert not problem.centre.any()
    assert_allclose(problem.scale, np.sqrt((X + 3).T ** 2 @ s / s.sum()), rtol=1e-12)


def test_columns_without_variation_keep_their_size():
    X, y, s = data()
    X[:, 0], X[:, 1] = 0.0, 0.1
    problem = standardised(LinearProblem(X, y, s, Logistic(), L2(0.1)))
    assert problem.scale[0] == 1.0
    assert problem.scale[1] == pytest.approx(0.1)
    solution = minimise(problem, Newton())
    assert solution.status.ok
    assert_allclose(problem.unpack(solution.x)[0][:2], 0.0, atol=1e-8)


def test_sparse_columns_are_scaled_and_not_centred():
    X, y, s = data()
    X[np.abs(X) < 1] = 0.0
    X *= [1e-5, 1.0, 1e5]
    problem = standardised(LinearProblem(sparse.csr_array(X), y, s, Logistic(), L2(1e-3)))
    assert not problem.centre.any()
    stored = [np.sqrt(np.average(c[c != 0] ** 2, weights=s[c != 0])) for c in X.T]
    assert_allclose(problem.scale, stored, rtol=1e-12)
    empty = sparse.csr_array((200, 2))
    assert_array_equal(standardised(LinearProblem(empty, y, s, Logistic(), Zero())).scale, 1.0)


@pytest.mark.parametrize("penalty", [L1(0.05), ElasticNet(0.05, 0.5)])
@pytest.mark.parametrize("intercept", [False, True])
def test_proximal_step_and_least_subgradient_in_the_new_unknowns(penalty, intercept):
    """penalties.02: the proximal point beats every neighbour, and the subgradient is the least."""
    X, y, s = data()
    raw = LinearProblem(X, y, s, Logistic(), penalty, intercept=intercept)
    problem = standardised(raw)
    rng = np.random.default_rng(0)
    u, step = rng.normal(size=problem.dimension), 0.7
    u[:1] = 0.01

    def envelope(v):
        return penalty.value(problem.problem.unpack(problem.raw(v))[0]) + (
            (v - u) @ (v - u) / (2 * step)
        )

    best = problem.prox(u, step)
    for size in (1e-4, 1e-2, 1.0):
        for _ in range(20):
            assert envelope(best + size * rng.normal(size=len(u))) >= envelope(best)
    u[:1] = 0.0
    local = problem.expand(u)
    for direction in np.vstack([np.eye(len(u)), -np.eye(len(u))]):
        ahead = problem.expand(u + 1e-7 * direction).value
        # The directional derivative is at least the product with the least subgradient.
        assert (ahead - local.value) / 1e-7 >= local.gradient @ direction - 1e-5


def test_provides_a_proximal_step_also_for_smooth_penalties():
    """The whole objective is the smooth part then, and the proximal step the identity."""
    X, y, s = data()
    problem = standardised(LinearProblem(X, y, s, Squared(), L2(0.1)))
    assert problem.provides == {"gradient", "hessian", "hessian_product", "prox"}
    u = np.random.default_rng(0).normal(size=problem.dimension)
    local = problem.expand(u)
    assert local.smooth_value == local.value
    assert_array_equal(local.smooth_gradient, local.gradient)
    assert_array_equal(problem.prox(u, 2.0), u)


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("storage", ["dense", "float32"])
def test_small_problems_are_expanded_by_one_loop(storage, intercept, monkeypatch):
    """Value, gradient, Hessian and the whole search as without it."""
    X, y, s = data()
    X = X.astype(np.float32) if storage == "float32" else X
    targets = (y > np.median(y)).astype(float)
    problem = LinearProblem(X, targets, s, Logistic(), L2(0.2), intercept=intercept)
    quick = standardised(problem)
    u = np.random.default_rng(0).normal(size=quick.dimension)
    local = quick.expand(u, second_order=True)
    assert local.newton is not None
    monkeypatch.setattr("margin.optim._standardised._SMALL", 0)
    plain = standardised(problem)
    expected = plain.expand(u, second_order=True)
    assert expected.newton is None
    assert local.value == pytest.approx(expected.value, rel=1e-12)
    assert_allclose(local.gradient, expected.gradient, rtol=1e-9, atol=1e-12)
    assert_allclose(local.hessian(), expected.hessian(), rtol=1e-9, atol=1e-12)
    assert_allclose(local.hessian_product(u), expected.hessian_product(u), rtol=1e-9, atol=1e-12)
    assert_allclose(local.hessian() @ local.newton(), -local.gradient, rtol=1e-7, atol=1e-10)
    a, b = minimise(quick, Newton(1e-10)), minimise(plain, Newton(1e-10))
    assert a.n_iter == b.n_iter
    assert_allclose(a.x, b.x, rtol=1e-7, atol=1e-9)


def test_a_singular_hessian_is_still_mended():
    """Without a penalty a repeated column has no curvature of its own: the jitter is told."""
    X, y, s = data()
    X = np.column_stack([X, X[:, 0]])
    problem = LinearProblem(X, (y > np.median(y)).astype(float), s, Logistic(), Zero())
    solution = minimise(standardised(problem), Newton(1e-6))
    assert solution.repairs
    assert solution.status.ok
