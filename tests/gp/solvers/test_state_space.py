"""The state-space form against the dense matrix: the same process, in linear time."""

import numpy as np
import pytest

from margin.gp import GaussianProcessRegressor
from margin.gp.solvers._exact import Exact
from margin.gp.solvers._interface import Observations
from margin.gp.solvers._state_space import StateSpace
from margin.kernels import RBF, Matern, White

RNG = np.random.default_rng(0)
X = RNG.uniform(-3, 3, size=(40, 1))
X[7] = X[8]
NEW = np.concatenate([RNG.uniform(-5, 5, size=(15, 1)), X[3:5]])
KERNELS = [
    1.7 * Matern(0.8, nu=0.5) + White(0.1),
    1.7 * Matern(0.8, nu=1.5) + White(0.1),
    0.6 * Matern(1.4, nu=2.5) + White(0.02),
    2.0 * Matern(2.0, nu=2.5) + 0.5 * Matern(0.3, nu=0.5) + Matern(1.0) + White(0.05),
]


def observed(rank=0, targets=1):
    Y = np.sin(2 * X) + 0.2 * RNG.normal(size=(40, targets))
    H = np.linalg.qr(np.hstack([np.ones((40, 1)), X]))[0][:, :rank]
    return Observations(X, Y, RNG.uniform(0.01, 0.1, 40), H)


@pytest.mark.parametrize("kernel", KERNELS, ids=str)
@pytest.mark.parametrize(("rank", "targets"), [(0, 1), (1, 1), (2, 3)])
def test_same_as_the_dense_matrix(kernel, rank, targets):
    """gp.05: likelihood, gradient, mean, variance, covariance, leave-one-out."""
    seen = observed(rank, targets)
    mine, dense = StateSpace().evaluate(kernel, seen), Exact().evaluate(kernel, seen)
    assert mine.value == pytest.approx(dense.value, rel=1e-10)
    np.testing.assert_allclose(mine.gradient, dense.gradient, rtol=1e-7, atol=1e-8)
    a, b = StateSpace().condition(kernel, seen), Exact().condition(kernel, seen)
    np.testing.assert_allclose(a.coefficients, b.coefficients, rtol=1e-8, atol=1e-9)
    H = RNG.normal(size=(len(NEW), rank))
    for left, right in zip(
        a.predict(kernel, NEW, H, kernel.diag(NEW)),
        b.predict(kernel, NEW, H, kernel.diag(NEW)),
        strict=True,
    ):
        np.testing.assert_allclose(left, right, atol=1e-9)
    np.testing.assert_allclose(
        a.covariance(kernel, NEW, H, kernel(NEW)),
        b.covariance(kernel, NEW, H, kernel(NEW)),
        atol=1e-9,
    )
    mine_held, held = a.leave_one_out(), b.leave_one_out()
    np.testing.assert_allclose(mine_held.mean, held.mean, atol=1e-9)
    np.testing.assert_allclose(mine_held.var, held.var, rtol=1e-8)


def test_noise_free_interpolation():
    """gp.02 in linear time."""
    x = np.sort(RNG.uniform(0, 10, 30))[:, None]
    model = GaussianProcessRegressor(
        kernel=Matern(1.0), alpha=0.0, optimizer=None, method="state-space"
    ).fit(x, np.sin(x[:, 0]))
    mean, std = model.predict(x, return_std=True)
    np.testing.assert_allclose(mean, np.sin(x[:, 0]), atol=1e-9)
    assert std.max() < 1e-6
    assert not model.fit_report_.repairs


def test_twins_without_noise_are_mended_and_said():
    model = GaussianProcessRegressor(
        kernel=Matern(1.0), alpha=0.0, optimizer=None, method="state-space"
    ).fit([[0.0], [1.0], [1.0]], [0.0, 1.0, 1.0])
    assert "some rows are alike" in model.fit_report_.repairs[0]
    np.testing.assert_allclose(model.predict([[0.0], [1.0]]), [0.0, 1.0], atol=1e-6)


def test_learning_finds_what_the_exact_method_finds():
    y = np.sin(2 * X[:, 0]) + 0.1 * RNG.normal(size=40)
    kernel = 1.0 * Matern(1.0, nu=2.5) + White(0.1)
    fits = [
        GaussianProcessRegressor(kernel=kernel, method=method, mean="constant").fit(X, y)
        for method in ("exact", "state-space")
    ]
    values = [model.log_marginal_likelihood_value_ for model in fits]
    assert values[1] == pytest.approx(values[0], abs=1e-5)
    np.testing.assert_allclose(fits[1].predict(NEW), fits[0].predict(NEW), atol=1e-3)
    value, gradient = fits[1].log_marginal_likelihood(eval_gradient=True)
    assert value == pytest.approx(values[1])
    assert np.abs(gradient).max() < 40 * 1e-4


def test_chosen_for_many_rows_on_a_line():
    x = np.linspace(0, 100, 5000)[:, None]
    y = np.sin(x[:, 0]) + 0.1 * RNG.normal(size=5000)
    kernel = 1.0 * Matern(2.0, nu=2.5) + White(0.01)
    model = GaussianProcessRegressor(kernel=kernel, optimizer=None).fit(x, y)
    assert any("state-space: Matern kernels on a line" in note for note in model.fit_report_.notes)
    at = np.linspace(1, 99, 50)[:, None]
    assert np.abs(model.predict(at) - np.sin(at[:, 0])).max() < 0.15
    near = GaussianProcessRegressor(kernel=kernel, optimizer=None, method="exact")
    rows = x[:, 0] < 20
    inner = at[at[:, 0] < 8]
    np.testing.assert_allclose(
        model.predict(inner), near.fit(x[rows], y[rows]).predict(inner), atol=1e-3
    )


@pytest.mark.parametrize(
    ("kernel", "table", "message"),
    [
        (Matern(1.0), np.ones((5, 2)), "unless X has one column"),
        (RBF(1.0), np.ones((5, 1)), "a sum of Matern kernels"),
        ("precomputed", np.eye(5), "precomputed kernel"),
    ],
)
def test_refusals(kernel, table, message):
    model = GaussianProcessRegressor(kernel=kernel, method="state-space")
    with pytest.raises(ValueError, match=message):
        model.fit(table, np.arange(5.0))


def test_one_row():
    model = GaussianProcessRegressor(
        kernel=Matern(1.0, nu=0.5), alpha=0.1, optimizer=None, method="state-space"
    ).fit([[0.0]], [1.0])
    assert model.predict([[1.0]])[0] == pytest.approx(np.exp(-1.0) / 1.1)
